"""What each network computes, in PyTorch: the references of MultiKernelBench's arch, re-written
over weights with names, narrower and on smaller inputs.

A reference is a function of a Weights; it is called once in each precision, and gets the same
arrays each time. Layers have as many blocks as those of the reference. What differs is how many
channels, units and pixels there are.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F


class Weights:
    """Arrays by name, made when they are first asked for."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.arrays, self.dtype = {}, torch.float64

    def array(self, name, *shape, scale=1.0, around=0.0):
        if name not in self.arrays:
            values = self.random.standard_normal(shape) * scale + around
            self.arrays[name] = values.astype(np.float32)
        assert self.arrays[name].shape == shape, name
        return torch.from_numpy(self.arrays[name]).to(self.dtype)

    def input(self, name, *shape):
        if name not in self.arrays:
            self.arrays[name] = self.random.random(shape).astype(np.float32)
        return torch.from_numpy(self.arrays[name]).to(self.dtype)

    def constant(self, name, values):
        self.arrays.setdefault(name, values.numpy().astype(np.float32))
        return torch.from_numpy(self.arrays[name]).to(self.dtype)

    def conv(self, x, name, outputs, size=1, stride=1, pad=0, groups=1, bias=True):
        channels = x.shape[1] // groups
        scale = 1 / math.sqrt(channels * size * size)
        weight = self.array(name + ".weight", outputs, channels, size, size, scale=scale)
        return F.conv2d(x, weight, self.array(name + ".bias", outputs, scale=0.1) if bias else None,
                        stride, pad, 1, groups)

    def norm(self, x, name):
        weight = self.array(name + ".weight", x.shape[1], scale=0.1, around=1)
        return F.batch_norm(x, None, None, weight, self.array(name + ".bias", x.shape[1], scale=0.1),
                            training=True)

    def layer_norm(self, x, name):
        n = x.shape[-1]
        return F.layer_norm(x, (n,), self.array(name + ".weight", n, scale=0.1, around=1),
                            self.array(name + ".bias", n, scale=0.1))

    def linear(self, x, name, outputs):
        inputs = x.shape[-1]
        weight = self.array(name + ".weight", outputs, inputs, scale=1 / math.sqrt(inputs))
        return F.linear(x, weight, self.array(name + ".bias", outputs, scale=0.1))

    def perceptron(self, x, units):
        for layer, count in enumerate(units):
            x = self.linear(F.relu(x) if layer else x, f"fc{layer}", count)
        return x


# --- Layers one after the other


def mlp(w):
    return w.perceptron(w.input("x", 5, 96), [64, 72, 40])


def deep_narrow_mlp(w):
    return w.perceptron(w.input("x", 7, 80), [32] * 16 + [80])


def shallow_wide_mlp(w):
    return w.perceptron(w.input("x", 3, 64), [256, 256, 128])


def alexnet(w):
    x = F.relu(w.conv(w.input("x", 1, 3, 127, 127), "conv0", 12, 11, 4, 2))
    x = F.relu(w.conv(F.max_pool2d(x, 3, 2), "conv1", 32, 5, 1, 2))
    x = F.max_pool2d(x, 3, 2)
    for layer, outputs in ((2, 48), (3, 48), (4, 32)):
        x = F.relu(w.conv(x, f"conv{layer}", outputs, 3, 1, 1))
    return w.perceptron(torch.flatten(F.max_pool2d(x, 3, 2), 1), [64, 64, 10])


def lenet5(w):
    x = F.max_pool2d(F.relu(w.conv(w.input("x", 2, 1, 32, 32), "conv0", 6, 5)), 2, 2)
    x = F.max_pool2d(F.relu(w.conv(x, "conv1", 16, 5)), 2, 2)
    return w.perceptron(x.reshape(-1, 16 * 5 * 5), [120, 84, 20])


def vgg(w, blocks):
    x = w.input("x", 1, 3, 32, 32)
    for block, count in enumerate(blocks):
        for layer in range(count):
            x = F.relu(w.conv(x, f"conv{block}.{layer}", 8 << min(block, 3), 3, 1, 1))
        x = F.max_pool2d(x, 2, 2)
    return w.perceptron(torch.flatten(x, 1), [48, 48, 10])


def vgg16(w):
    return vgg(w, [2, 2, 3, 3, 3])


def vgg19(w):
    return vgg(w, [2, 2, 4, 4, 4])


def fire(w, x, prefix, squeezed, expanded):
    x = F.relu(w.conv(x, prefix + "squeeze", squeezed))
    return torch.cat([F.relu(w.conv(x, prefix + "expand1", expanded)),
                      F.relu(w.conv(x, prefix + "expand3", expanded, 3, 1, 1))], 1)  # fmt: skip


def squeeze_net_fire_module(w):
    return fire(w, w.input("x", 2, 3, 13, 21), "", 6, 24)


def squeeze_net(w):
    x = F.relu(w.conv(w.input("x", 1, 3, 63, 63), "conv0", 12, 7, 2))
    for layer, (squeezed, expanded) in enumerate(
            [(2, 8), (2, 8), (4, 16), (4, 16), (6, 24), (6, 24), (8, 32), (8, 32)]):  # fmt: skip
        if layer in (0, 3, 7):
            x = F.max_pool2d(x, 3, 2, ceil_mode=True)
        x = fire(w, x, f"fire{layer}.", squeezed, expanded)
    return F.relu(w.conv(x, "classifier", 10)).mean((2, 3))


def inception(w, x, prefix, one, reduce3, three, reduce5, five, pooled):
    return torch.cat([
        w.conv(x, prefix + "one", one),
        w.conv(w.conv(x, prefix + "reduce3", reduce3), prefix + "three", three, 3, 1, 1),
        w.conv(w.conv(x, prefix + "reduce5", reduce5), prefix + "five", five, 5, 1, 2),
        w.conv(F.max_pool2d(x, 3, 1, 1), prefix + "pooled", pooled)], 1)  # fmt: skip


def googlenet_inception_module(w):
    return inception(w, w.input("x", 2, 30, 14, 10), "", 12, 6, 13, 3, 5, 4)


def googlenet_inception_v1(w):
    x = F.max_pool2d(F.relu(w.conv(w.input("x", 1, 3, 64, 64), "conv0", 8, 7, 2, 3)), 3, 2, 1)
    x = F.relu(w.conv(F.relu(w.conv(x, "conv1", 8)), "conv2", 24, 3, 1, 1))
    x = F.max_pool2d(x, 3, 2, 1)
    for layer, widths in enumerate([
            (8, 12, 16, 2, 4, 4), (16, 16, 24, 4, 12, 8), (24, 12, 26, 2, 6, 8), (20, 14, 28, 3, 8, 8),
            (16, 16, 32, 3, 8, 8), (14, 18, 36, 4, 8, 8), (32, 20, 40, 4, 16, 16),
            (32, 20, 40, 4, 16, 16), (48, 24, 48, 6, 16, 16)]):  # fmt: skip
        if layer in (2, 7):
            x = F.max_pool2d(x, 3, 2, 1)
        x = inception(w, x, f"inception{layer}.", *widths)
    return w.linear(x.mean((2, 3)), "fc", 10)


# --- Networks that add, or keep, what came before


def conv_norm(w, x, prefix, number, outputs, *window):
    return w.norm(w.conv(x, f"{prefix}conv{number}", outputs, *window, bias=False), f"{prefix}norm{number}")


def basic_block(w, x, prefix, outputs, stride, down):
    y = F.relu(conv_norm(w, x, prefix, 0, outputs, 3, stride, 1))
    y = conv_norm(w, y, prefix, 1, outputs, 3, 1, 1)
    return F.relu(y + (conv_norm(w, x, prefix, "_down", outputs, 1, stride) if down else x))


def bottleneck(w, x, prefix, outputs, stride, down):
    y = F.relu(conv_norm(w, x, prefix, 0, outputs))
    y = F.relu(conv_norm(w, y, prefix, 1, outputs, 3, stride, 1))
    y = conv_norm(w, y, prefix, 2, 4 * outputs)
    return F.relu(y + (conv_norm(w, x, prefix, "_down", 4 * outputs, 1, stride) if down else x))


def resnet_basic_block(w):
    return basic_block(w, w.input("x", 2, 3, 20, 24), "", 16, 1, True)


def stem(w, x, outputs):
    return F.max_pool2d(F.relu(conv_norm(w, x, "", "", outputs, 7, 2, 3)), 3, 2, 1)


def resnet(w, block, counts, expansion):
    x = stem(w, w.input("x", 2, 3, 64, 64), 8)
    for stage, count in enumerate(counts):
        outputs, stride = 8 << stage, 2 if stage else 1
        for each in range(count):
            step = 1 if each else stride
            down = step != 1 or x.shape[1] != outputs * expansion
            x = block(w, x, f"stage{stage}.{each}.", outputs, step, down)
    return w.linear(x.mean((2, 3)), "fc", 10)


def resnet18(w):
    return resnet(w, basic_block, [2, 2, 2, 2], 1)


def resnet101(w):
    return resnet(w, bottleneck, [3, 4, 23, 3], 4)


def dense_block(w, x, prefix, count, growth):
    for layer in range(count):
        y = F.relu(w.norm(x, f"{prefix}norm{layer}"))
        x = torch.cat([x, w.conv(y, f"{prefix}conv{layer}", growth, 3, 1, 1, bias=False)], 1)
    return x


def transition(w, x, prefix, outputs):
    x = F.relu(w.norm(x, prefix + "norm"))
    return F.avg_pool2d(w.conv(x, prefix + "conv", outputs, bias=False), 2, 2)


def densenet121_dense_block(w):
    return dense_block(w, w.input("x", 2, 8, 18, 14), "", 6, 8)


def densenet121_transition_layer(w):
    return transition(w, w.input("x", 3, 8, 20, 26), "", 16)


def densenet(w, counts):
    x = stem(w, w.input("x", 2, 3, 64, 64), 16)
    for block, count in enumerate(counts):
        x = dense_block(w, x, f"block{block}.", count, 4)
        if block < 3:
            x = transition(w, x, f"transition{block}.", x.shape[1] // 2)
    return w.linear(F.relu(w.norm(x, "last")).mean((2, 3)), "fc", 10)


def densenet121(w):
    return densenet(w, [6, 12, 24, 16])


def densenet201(w):
    return densenet(w, [6, 12, 48, 32])


def regnet(w):
    x = w.input("x", 2, 3, 24, 32)
    for stage, outputs in enumerate([8, 16, 24]):
        for layer in range(2):
            x = F.relu(w.norm(w.conv(x, f"stage{stage}.conv{layer}", outputs, 3, 1, 1), f"stage{stage}.norm{layer}"))
        x = F.max_pool2d(x, 2, 2)
    return w.linear(x.mean((2, 3)), "fc", 10)


def double_conv(w, x, prefix, outputs):
    for layer in range(2):
        x = w.norm(w.conv(x, f"{prefix}conv{layer}", outputs, 3, 1, 1), f"{prefix}norm{layer}")
        x = F.softmax(x, -1)
    return x


def unet_softmax(w):
    x, kept = w.input("x", 1, 4, 32, 48), []
    for level in range(4):
        kept.append(double_conv(w, x, f"encoder{level}.", 4 << level))
        x = F.max_pool2d(kept[-1], 2, 2)
    x = double_conv(w, x, "bottleneck.", 64)
    for level in reversed(range(4)):
        outputs = 4 << level
        weight = w.array(f"up{level}.weight", 2 * outputs, outputs, 2, 2, scale=1 / math.sqrt(2 * outputs))
        x = F.conv_transpose2d(x, weight, w.array(f"up{level}.bias", outputs, scale=0.1), 2)
        x = double_conv(w, torch.cat([x, kept[level]], 1), f"decoder{level}.", outputs)
    return w.conv(x, "last", 4)


# --- Networks with a filter for each channel


def named_conv_norm(w, x, layer, outputs, *window, **more):
    return w.norm(w.conv(x, layer + ".conv", outputs, *window, bias=False, **more), layer + ".norm")


def filtered(w, x, layer, size, stride):
    return named_conv_norm(w, x, layer, x.shape[1], size, stride, (size - 1) // 2, groups=x.shape[1])


def inverted(w, x, prefix, outputs, size, stride, ratio, residual=True, expands=None):
    y = x
    if ratio != 1 if expands is None else expands:
        y = F.relu6(named_conv_norm(w, y, prefix + "expand", x.shape[1] * ratio))
    y = F.relu6(filtered(w, y, prefix + "filter", size, stride))
    y = named_conv_norm(w, y, prefix + "project", outputs)
    return x + y if residual and stride == 1 and x.shape[1] == outputs else y


def efficientnet_mb_conv(w):
    return inverted(w, w.input("x", 2, 12, 18, 22), "", 20, 5, 2, 6)


def first(w, extent=64):
    return named_conv_norm(w, w.input("x", 2, 3, extent, extent), "first", 8, 3, 2, 1)


def classified(w, x, last, function):
    return w.linear(function(named_conv_norm(w, x, "last", last)).mean((2, 3)), "fc", 10)


def mobilenet_v1(w):
    x = F.relu(first(w))
    strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    for block, (stride, outputs) in enumerate(zip(strides, [8, 12, 12, 16, 16, 24, 24, 24, 24, 24, 24, 32, 32])):
        x = F.relu(filtered(w, x, f"block{block}.filter", 3, stride))
        x = F.relu(named_conv_norm(w, x, f"block{block}.project", outputs))
    return w.linear(x.mean((2, 3)), "fc", 10)


def mobilenet_v2(w):
    x, block = F.relu6(first(w)), 0
    for ratio, outputs, count, stride in [(1, 4, 1, 1), (6, 4, 2, 2), (6, 8, 3, 2), (6, 12, 4, 2), (6, 16, 3, 1),
                                          (6, 20, 3, 2), (6, 24, 1, 1)]:  # fmt: skip
        for each in range(count):
            x = inverted(w, x, f"block{block}.", outputs, 3, 1 if each else stride, ratio, residual=False)
            block += 1
    return classified(w, x, 48, F.relu6)


def efficientnet_b0(w):
    x = F.relu(first(w))
    for block, (outputs, size, stride, ratio) in enumerate([
            (4, 3, 1, 1), (6, 3, 2, 6), (6, 3, 1, 6), (8, 5, 2, 6), (8, 5, 1, 6), (12, 3, 2, 6), (12, 3, 1, 6),
            (16, 5, 1, 6), (16, 5, 1, 6), (20, 5, 2, 6), (20, 5, 1, 6), (20, 5, 1, 6), (24, 3, 1, 6)]):  # fmt: skip
        x = inverted(w, x, f"block{block}.", outputs, size, stride, ratio)
    return classified(w, x, 48, F.relu)


def efficientnet_b1(w):
    x = F.relu(first(w))
    for block, (outputs, stride, ratio) in enumerate(
            [(4, 1, 1), (6, 2, 6), (10, 2, 6), (12, 2, 6), (16, 1, 6), (20, 2, 6), (24, 1, 6)]):  # fmt: skip
        x = inverted(w, x, f"block{block}.", outputs, 3, stride, ratio, residual=False, expands=True)
    return classified(w, x, 48, F.relu)


def efficientnet_b2(w):
    x = F.relu(first(w, 32))
    for block, (outputs, stride, ratio) in enumerate([(12, 1, 3), (16, 2, 6), (20, 2, 6), (24, 2, 6), (32, 1, 6)]):
        prefix, wide = f"block{block}.", x.shape[1] * ratio
        x = F.relu(named_conv_norm(w, x, prefix + "expand", wide))
        x = F.relu(filtered(w, x, prefix + "filter", 3, stride)).mean((2, 3), keepdim=True)
        x = F.relu(w.conv(x, prefix + "squeeze", wide // 4, bias=False))
        x = torch.sigmoid(w.conv(x, prefix + "excite", wide, bias=False))
        x = named_conv_norm(w, x, prefix + "project", outputs)
    return classified(w, x, 48, F.relu)


def shuffle_unit(w, x, prefix, outputs, groups=3):
    middle = outputs // 4
    y = F.relu(named_conv_norm(w, x, prefix + "in", middle, groups=groups))
    y = filtered(w, y, prefix + "filter", 3, 1)
    n, c, height, width = y.shape
    y = y.view(n, groups, c // groups, height, width).transpose(1, 2).reshape(n, c, height, width)
    y = F.relu(named_conv_norm(w, y, prefix + "out", outputs, groups=groups))
    return y + (x if x.shape[1] == outputs else named_conv_norm(w, x, prefix + "shortcut", outputs))


def shufflenet_unit(w):
    return shuffle_unit(w, w.input("x", 2, 12, 16, 18), "", 24)


def shufflenet(w):
    x, block = F.max_pool2d(F.relu(named_conv_norm(w, w.input("x", 2, 3, 40, 40), "first", 12, 3, 2, 1)), 3, 2, 1), 0
    for outputs, count in [(24, 3), (48, 7), (96, 3)]:
        for _ in range(count):
            x = shuffle_unit(w, x, f"block{block}.", outputs)
            block += 1
    return classified(w, x, 48, F.relu)


# --- Sequences


def recurrent(w, kind, x, states, units, layers, directions, batch_first):
    """PyTorch's own module, with these weights."""
    module = kind(x.shape[-1], units, layers, batch_first=batch_first, bidirectional=directions == 2)
    module = module.to(w.dtype)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(w.array(name, *parameter.shape, scale=1 / math.sqrt(units)))
    with torch.no_grad():
        return module(x, states)


def gru_of(w, directions):
    x = w.input("x", 5, 3, 24)
    return recurrent(w, torch.nn.GRU, x, w.input("h0", 6 * directions, 3, 32), 32, 6, directions, False)


def gru(w):
    return gru_of(w, 1)[0]


def gru_hidden(w):
    return gru_of(w, 1)[1]


def gru_birectional(w):
    return gru_of(w, 2)[0]


def gru_bidirectional_hidden(w):
    return gru_of(w, 2)[1]


def lstm_of(w, directions):
    states = tuple(w.input(name, 6 * directions, 3, 32) for name in ("h0", "c0"))
    return recurrent(w, torch.nn.LSTM, w.input("x", 3, 5, 24), states, 32, 6, directions, True)


def lstm(w):
    return w.linear(lstm_of(w, 1)[0][:, -1], "fc", 10)


def lstm_bidirectional(w):
    return w.linear(lstm_of(w, 2)[0][:, -1], "fc", 10)


def lstm_hn(w):
    return lstm_of(w, 1)[1][0]


def lstm_cn(w):
    return lstm_of(w, 1)[1][1]


def vanilla_rnn(w):
    x = torch.cat([w.input("x", 6, 40), w.input("h0", 6, 56)], 1)
    return w.linear(torch.tanh(w.linear(x, "i2h", 56)), "h2o", 33)


def vanilla_rnn_hidden(w):
    x, h, outputs = w.input("x", 7, 4, 40), w.input("h0", 4, 24), []
    for step in x:
        h = torch.tanh(w.linear(torch.cat([step, h], 1), "i2h", 24))
        outputs.append(w.linear(h, "h2o", 17))
    return torch.stack(outputs)


# --- Attention: heads of 16 columns


def attention(w, x, prefix="", causal=False):
    """Over the second dimension of three."""
    batch, length, features = x.shape
    q, k, v = (part.view(batch, length, -1, 16).transpose(1, 2)
               for part in w.linear(x, prefix + "in", 3 * features).split(features, 2))  # fmt: skip
    scores = q @ k.transpose(-2, -1) / 4
    if causal:
        scores = scores.masked_fill(torch.ones(length, length).tril() == 0, float("-inf"))
    y = F.softmax(scores, -1) @ v
    return w.linear(y.transpose(1, 2).reshape(batch, length, features), prefix + "out", features)


def min_gpt_causal_attention(w):
    return attention(w, w.input("x", 2, 37, 64), causal=True)


def mini_gpt_block(w):
    x = w.input("x", 2, 29, 48)
    x = x + attention(w, w.layer_norm(x, "norm0"), causal=True)
    y = w.linear(w.layer_norm(x, "norm1"), "fc0", 192)
    y = 0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
    return x + w.linear(y, "fc1", 48)


def relu_self_attention(w):
    x = w.input("x", 2, 37, 64)
    q, k, v = (part.view(2, 37, 4, 16).transpose(1, 2) for part in w.linear(x, "in", 192).split(64, 2))
    seen = torch.ones(37, 37).tril() == 0
    y = F.relu((q @ k.transpose(-2, -1) / 4).masked_fill(seen, float("-inf"))) @ v
    return y.transpose(1, 2).reshape(x.shape)


def vision_attention(w):
    image = w.input("x", 2, 32, 6, 7)
    x = image.view(2, 32, 42).transpose(1, 2)
    x = w.layer_norm(attention(w, x) + x, "norm")
    return x.transpose(1, 2).reshape(image.shape)


def encoder(w, x, prefix, by_batch):
    seen = attention(w, x.transpose(0, 1), prefix).transpose(0, 1) if by_batch else attention(w, x, prefix)
    x = w.layer_norm(x + seen, prefix + "norm0")
    y = F.relu(w.linear(x, prefix + "fc0", 4 * x.shape[-1]))
    return w.layer_norm(x + w.linear(y, prefix + "fc1", x.shape[-1]), prefix + "norm1")


def with_class(w, x):
    token = w.array("class", 1, 1, x.shape[2])
    return torch.cat([token.expand(x.shape[0], -1, -1), x], 1)


def vision_transformer(w):
    image, size = w.input("x", 2, 3, 24, 24), 4
    x = image.unfold(2, size, size).unfold(3, size, size).reshape(2, -1, size * size * 3)
    x = with_class(w, w.linear(x, "embedding", 32))
    x = x + w.array("places", 1, x.shape[1], 32)
    for layer in range(6):
        x = encoder(w, x, f"layer{layer}.", by_batch=True)
    return w.linear(F.gelu(w.linear(x[:, 0], "head0", 48)), "head1", 10)


def convolutional_vision_transformer(w):
    x = w.conv(w.input("x", 3, 3, 16, 16), "conv", 32, 4, 4)
    x = with_class(w, w.linear(x.flatten(1), "projection", 32).unsqueeze(1))
    for layer in range(6):
        x = encoder(w, x, f"layer{layer}.", by_batch=False)
    return w.linear(x[:, 0], "fc", 10)


# --- Clusters


def net_vlad(w, ghosts):
    batch, count, features, clusters = 3, 20, 40, 12
    x, scale = w.input("x", batch, count, features), 1 / math.sqrt(features)
    share = x.view(-1, features) @ w.array("clusters", features, clusters + ghosts, scale=scale)
    share = F.softmax(w.norm(share, "norm"), 1)[:, :clusters].reshape(batch, count, clusters)
    words = share.sum(1, keepdim=True) * w.array("clusters2", 1, features, clusters, scale=scale)
    vlad = F.normalize((share.transpose(1, 2) @ x).transpose(1, 2) - words)
    return F.normalize(vlad.reshape(batch, -1))


def net_vlad_no_ghost_clusters(w):
    return net_vlad(w, 0)


def net_vlad_with_ghost_clusters(w):
    return net_vlad(w, 5)


# --- Windows: of 3 x 3 squares in images of 24 x 24


def partition(x, size):
    batch, height, width, channels = x.shape
    x = x.reshape(batch, height // size, size, width // size, size, channels).transpose(2, 3)
    return x.reshape(-1, size * size, channels)


def together(x, shape, size):
    batch, height, width, channels = shape
    x = x.reshape(batch, height // size, width // size, size, size, channels).transpose(2, 3)
    return x.reshape(shape)


def mixed_places(w, x, layer, heads):
    count, places, channels = x.shape
    weight = w.array(layer + ".weight", heads * places, places, 1, scale=1 / math.sqrt(places))
    x = x.reshape(count, places, heads, -1).transpose(1, 2).reshape(count, heads * places, -1)
    x = F.conv1d(x, weight, w.array(layer + ".bias", heads * places, scale=0.1), groups=heads)
    return x.reshape(count, heads, places, -1).transpose(1, 2).reshape(count, places, channels)


def mlp_block(w, x, prefix, heads, moves, size=3):
    y, shift = w.layer_norm(x, prefix + "norm0"), size // 2 if moves and x.shape[1] > size else 0
    if shift:
        y = F.pad(y, (0, 0, size - shift, shift, size - shift, shift))
    y = together(mixed_places(w, partition(y, size), prefix + "places", heads), y.shape, size)
    if shift:
        y = y[:, size - shift:-shift, size - shift:-shift]
    x = x + y
    y = F.gelu(w.linear(w.layer_norm(x, prefix + "norm1"), prefix + "fc0", 4 * x.shape[-1]))
    return x + w.linear(y, prefix + "fc1", x.shape[-1])


def distances(size):
    """How far apart each two places of a window are, on a logarithmic scale: [places * places, 2]."""
    at = torch.stack(torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij"), -1).reshape(-1, 2)
    far = (at[:, None] - at[None]).double() / (size - 1) * 8
    return (far.sign() * torch.log2(far.abs() + 1) / 3).reshape(-1, 2)


def moved_mask(height, width, size, shift):
    """-100 for two places of a window that were no neighbours before the image was moved."""
    part = torch.zeros(height, width)
    for number, (rows, cols) in enumerate((rows, cols) for rows in (slice(0, -size), slice(-size, -shift),
                                                                    slice(-shift, None))
                                          for cols in (slice(0, -size), slice(-size, -shift), slice(-shift, None))):
        part[rows, cols] = number
    part = partition(part[None, :, :, None], size)[..., 0]
    return torch.where(part[:, :, None] == part[:, None], 0.0, -100.0)


def window_attention(w, x, prefix, heads, mask, size):
    count, places, channels = x.shape
    bias = torch.cat([w.array(prefix + "q.bias", channels, scale=0.1), torch.zeros(channels, dtype=x.dtype),
                      w.array(prefix + "v.bias", channels, scale=0.1)])
    weight = w.array(prefix + "in.weight", 3 * channels, channels, scale=1 / math.sqrt(channels))
    q, k, v = F.linear(x, weight, bias).reshape(count, places, 3, heads, -1).permute(2, 0, 3, 1, 4)
    factor = w.array(prefix + "scale", heads, around=math.log(10)).clamp(max=math.log(100)).exp()
    scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1) * factor[:, None, None]
    near = F.relu(w.linear(w.constant(prefix + "coords", distances(size)), prefix + "near0", 24))
    near = near @ w.array(prefix + "near1.weight", heads, 24, scale=0.2).t()
    scores = scores + 16 * torch.sigmoid(near).t().reshape(heads, places, places)
    if mask is not None:
        mask = w.constant(prefix + "mask", mask)
        scores = (scores.reshape(-1, len(mask), heads, places, places) + mask[:, None]).reshape(scores.shape)
    y = (F.softmax(scores, -1) @ v).transpose(1, 2).reshape(x.shape)
    return w.linear(y, prefix + "out", channels)


def attention_block(w, x, prefix, heads, moves, size=3):
    height, width = x.shape[1:3]
    shift = size // 2 if moves and height > size else 0
    mask = moved_mask(height, width, size, shift) if shift else None
    y = torch.roll(x, (-shift, -shift), (1, 2))
    y = together(window_attention(w, partition(y, size), prefix, heads, mask, size), x.shape, size)
    x = x + w.layer_norm(torch.roll(y, (shift, shift), (1, 2)), prefix + "norm0")
    y = w.linear(F.gelu(w.linear(x, prefix + "fc0", 4 * x.shape[-1])), prefix + "fc1", x.shape[-1])
    return x + w.layer_norm(y, prefix + "norm1")


def swin(w, block, merge):
    x = w.conv(w.input("x", 1, 3, 96, 96), "patch", 12, 4, 4).permute(0, 2, 3, 1)
    x = w.layer_norm(x, "patch.norm")
    for stage, (depth, heads) in enumerate([(2, 3), (2, 6), (6, 12), (2, 24)]):
        if stage:
            x = torch.cat([x[:, i::2, j::2] for j in range(2) for i in range(2)], -1)
            x = merge(x, f"stage{stage}.merge", x.shape[-1] // 2)
        for each in range(depth):
            x = block(w, x, f"stage{stage}.{each}.", heads, each % 2 == 1)
    return w.linear(w.layer_norm(x, "norm").mean((1, 2)), "fc", 10)


def reduced(w, x, layer, outputs):
    return x @ w.array(layer + ".weight", outputs, x.shape[-1], scale=1 / math.sqrt(x.shape[-1])).t()


def swin_mlp(w):
    return swin(w, mlp_block, lambda x, layer, n: reduced(w, w.layer_norm(x, layer + ".norm"), layer, n))


def swintransformer_v2(w):
    return swin(w, attention_block, lambda x, layer, n: w.layer_norm(reduced(w, x, layer, n), layer + ".norm"))


# --- States that decay


def between(logs):
    """What decays from each step to each later one: exp of the sums of logs between them."""
    sums = torch.cumsum(logs, -1)
    return torch.tril(torch.exp(sums[..., :, None] - sums[..., None, :]))


def mamba(w):
    """Structured states in chunks of 64 steps: all outputs, and the last state."""
    batch, chunks, heads, features, state = 2, 3, 2, 16, 8

    def chunked(x):
        return x.reshape(batch, chunks, 64, heads, -1).transpose(2, 3)

    x = chunked(w.input("x", batch, chunks * 64, heads, features))
    a = chunked(w.array("A", batch, chunks * 64, heads, scale=0.15))[..., 0]
    b, c = (chunked(w.array(name, batch, chunks * 64, heads, state)) for name in "BC")
    y = (c @ b.transpose(-2, -1) * between(a)) @ x
    sums = torch.cumsum(a, -1)
    left = (x * torch.exp(sums[..., -1:] - sums)[..., None]).transpose(-2, -1) @ b
    left = torch.cat([torch.zeros_like(left[:, :1]), left], 1)
    shares = between(F.pad(sums[..., -1].transpose(1, 2), (1, 0)))
    states = torch.einsum("bhzc,bchpn->bzhpn", shares, left)
    y = y + c @ states[:, :-1].transpose(-2, -1) * torch.exp(sums)[..., None]
    return y.transpose(2, 3).reshape(batch, -1, heads, features), states[:, -1]


def mamba_return_y(w):
    return mamba(w)[0]


def mamba_return_final_state(w):
    return mamba(w)[1]


PROGRAMS = {
    "plain": [mlp, deep_narrow_mlp, shallow_wide_mlp, alexnet, lenet5, vgg16, vgg19, squeeze_net_fire_module,
              squeeze_net, googlenet_inception_module, googlenet_inception_v1],
    "residual": [resnet_basic_block, resnet18, resnet101, densenet121_dense_block, densenet121_transition_layer,
                 densenet121, densenet201, regnet, unet_softmax],
    "mobile": [mobilenet_v1, mobilenet_v2, efficientnet_mb_conv, efficientnet_b0, efficientnet_b1, efficientnet_b2,
               shufflenet_unit, shufflenet],
    "recurrent": [gru, gru_hidden, gru_birectional, gru_bidirectional_hidden, lstm, lstm_bidirectional, lstm_hn,
                  lstm_cn, vanilla_rnn, vanilla_rnn_hidden],
    "transformer": [min_gpt_causal_attention, mini_gpt_block, relu_self_attention, vision_attention,
                    vision_transformer, convolutional_vision_transformer],
    "clusters": [net_vlad_no_ghost_clusters, net_vlad_with_ghost_clusters],
    "windows": [swin_mlp, swintransformer_v2],
    "states": [mamba_return_y, mamba_return_final_state],
}  # fmt: skip
KERNELS = {"plain": ["dense", "images"], "residual": ["dense", "images"], "mobile": ["dense", "images"],
           "recurrent": ["dense", "sequences"], "transformer": ["dense", "attention"],
           "clusters": ["dense", "clusters"], "windows": ["dense", "windows"],
           "states": ["dense", "states"]}  # fmt: skip
