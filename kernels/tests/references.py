"""The references of MultiKernelBench that need no cube, and what those lack that have no kernel."""

VECTOR = {
    "activation": ("elu", "gelu", "hardsigmoid", "hardtanh", "leaky_relu", "log_softmax",
        "min_gpt_new_gelu", "relu", "selu", "sigmoid", "softmax", "softplus", "softsign", "swish", "tanh"),
    "broadcast": ("add_bias_broadcast", "add_bias_four_dim_broadcast", "clamp_broadcast",
        "division_broadcast", "elmentwise_mul_broadcast", "logic_and_broadcast", "max_broadcast",
        "power_broadcast", "subtract_with_bias_broadcast", "where_broadcast"),
    "index": ("argmax_over_a_dimension", "argmin_over_a_dimension", "embedding", "gather", "index_add",
        "index_copy", "index_select", "inplace_update", "masked_fill", "scatter", "scatter_add",
        "take_along_dim"),
    "loss": ("cosine_similarity_loss", "cross_entropy_loss", "hinge_loss", "huber_loss", "kl_div_loss",
        "mse_loss", "triplet_margin_loss"),
    "math": ("cumprod", "cumsum", "cumsum_exclusive", "cumsum_reverse", "masked_cumsum",
        "matrix_scalar_multiplication"),
    "normalization": ("batch_norm", "frobenius_norm", "group_norm", "instance_norm", "l1_norm", "l2_norm",
        "layer_norm", "rms_norm"),
    "optimizer": ("adagrad", "adam", "lamb", "rmsprop", "sgd"),
    "pooling": ("average_pooling_1d", "average_pooling_2d", "average_pooling_3d", "max_pooling_1d",
        "max_pooling_2d", "max_pooling_3d"),
    "reduce": ("max_reduction_over_a_dimension", "mean_reduction_over_a_dimension",
        "min_reduction_over_a_dimension", "product_reduction_over_a_dimension",
        "sum_reduction_over_a_dimension"),
    "resize": ("bicubic_upsample", "bilinear_upsample", "downsample_bilinear", "grid_sample_affine",
        "grid_sample_random_warp", "interpolate_dynamic", "nearest_neighbor_upsample",
        "resize_with_antialias", "trilinear_upsample", "upsample_grid_sample"),
}

GATHER = "a gather of elements on the vector unit: the scalar unit reads them one by one"
SCATTER = "a scatter of elements on the vector unit"
MISSING = {
    "index/gather": GATHER, "index/take_along_dim": GATHER,
    "index/scatter": SCATTER, "index/scatter_add": SCATTER,
    "resize/grid_sample_affine": GATHER, "resize/grid_sample_random_warp": GATHER,
    "resize/upsample_grid_sample": GATHER,
}
