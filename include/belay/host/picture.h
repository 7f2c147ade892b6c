//===- picture.h - Pictures, and what DVPP does with them -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DVPP has its own memory and strict rules how rows lie in it. A Picture keeps
// both: nothing else can be given to a channel.
//
//   PictureChannel channel(device);
//   auto large = Picture::from(stream, pixels::rgb, 640, 480, bytes);
//   auto small = Picture::uninitialised(device, pixels::rgb, 320, 240);
//   channel.resize(stream, large, small);
//   std::vector<uint8_t> result = small.download(stream).wait();
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_PICTURE_H
#define BELAY_HOST_PICTURE_H

#include "belay/host/memory.h"

#include <array>

namespace belay::host {

namespace abi {

struct acldvppPicDesc;
struct acldvppChannelDesc;
struct acldvppResizeConfig;
using acldvppPixelFormat = int;

/// The functions of libacl_dvpp.so; null where the library has not got one.
struct dvpp_functions {
#define BELAY_DVPP(Result, Name, Params) Result(*Name) Params = nullptr;
#include "belay/host/dvpp.def"
};

} // namespace abi

/// How a pixel is stored. Of nv12 and nv21, pairs of colours for two by two
/// pixels follow the grey values.
enum class pixels : int { grey = 0, nv12 = 1, nv21 = 2, rgb = 12, bgr = 13 };

namespace detail {

/// Loaded at the first use, for good.
inline const abi::dvpp_functions &dvpp() {
  static const auto &only = *[] {
    auto *f = new abi::dvpp_functions;
    if (void *library = open_beside("libacl_dvpp.so")) {
#define BELAY_DVPP(Result, Name, Params)                                       \
  f->Name = reinterpret_cast<decltype(f->Name)>(dlsym(library, #Name));
#include "belay/host/dvpp.def"
    }
    return f;
  }();
  return only;
}

#define BELAY_DVPP_CALL(Name, ...)                                             \
  ::belay::host::detail::check(                                                \
      ::belay::host::detail::require(::belay::host::detail::dvpp().Name,       \
                                     #Name)(__VA_ARGS__),                      \
      #Name)

/// Where the rows of a picture lie. Rows begin at multiples of 16 bytes.
struct picture_layout {
  picture_layout(pixels format, uint32_t width, uint32_t height)
      : format(format), width(width), height(height) {
    constexpr uint32_t least_width = 10, least_height = 6, most = 4096;
    bool halves = planes() > 1;
    if (width < least_width || height < least_height || width > most ||
        height > most)
      refuse("Picture", size_text() + "; 10 x 6 to 4096 x 4096 can be");
    if (halves && (width % 2 || height % 2))
      refuse("Picture",
             size_text() + "; width and height of nv12 and nv21 are even");
    constexpr uint32_t row_unit = 16, least_row = 32;
    width_stride =
        std::max((row_bytes() + row_unit - 1) / row_unit * row_unit, least_row);
    height_stride = (height + 1) / 2 * 2;
  }

  std::string size_text() const {
    return std::to_string(width) + " x " + std::to_string(height) + " pixels";
  }
  unsigned planes() const {
    return format == pixels::nv12 || format == pixels::nv21 ? 2 : 1;
  }
  uint32_t row_bytes() const {
    return format == pixels::rgb || format == pixels::bgr ? 3 * width : width;
  }
  uint32_t rows(unsigned plane) const { return plane ? height / 2 : height; }
  std::size_t plane_bytes(unsigned plane) const {
    return std::size_t(width_stride) *
           (plane ? height_stride / 2 : height_stride);
  }
  /// With all strides.
  std::size_t bytes() const {
    return plane_bytes(0) + (planes() > 1 ? plane_bytes(1) : 0);
  }
  /// Row after row, and nothing between.
  std::size_t packed_bytes() const {
    return std::size_t(row_bytes()) * (rows(0) + (planes() > 1 ? rows(1) : 0));
  }

  pixels format;
  uint32_t width, height, width_stride = 0, height_stride = 0;
};

/// What DVPP is told of a picture; it borrows the memory.
struct picture_description {
  picture_description(const picture_layout &layout, void *data)
      : handle(require(dvpp().acldvppCreatePicDesc, "acldvppCreatePicDesc")()) {
    BELAY_DVPP_CALL(acldvppSetPicDescData, handle, data);
    BELAY_DVPP_CALL(acldvppSetPicDescSize, handle,
                    static_cast<uint32_t>(layout.bytes()));
    BELAY_DVPP_CALL(acldvppSetPicDescFormat, handle,
                    static_cast<int>(layout.format));
    BELAY_DVPP_CALL(acldvppSetPicDescWidth, handle, layout.width);
    BELAY_DVPP_CALL(acldvppSetPicDescHeight, handle, layout.height);
    BELAY_DVPP_CALL(acldvppSetPicDescWidthStride, handle, layout.width_stride);
    BELAY_DVPP_CALL(acldvppSetPicDescHeightStride, handle,
                    layout.height_stride);
  }
  ~picture_description() { note(dvpp().acldvppDestroyPicDesc(handle)); }
  picture_description(const picture_description &) = delete;
  picture_description &operator=(const picture_description &) = delete;

  abi::acldvppPicDesc *handle;
};

/// A channel and its description, which end in this order.
struct channel_state {
  explicit channel_state(std::shared_ptr<context_state> parent)
      : up(std::move(parent)) {
    up->bind();
    handle =
        require(dvpp().acldvppCreateChannelDesc, "acldvppCreateChannelDesc")();
    config = dvpp().acldvppCreateResizeConfig();
    if (int code = dvpp().acldvppCreateChannel(handle)) {
      end_descriptions();
      check(code, "acldvppCreateChannel");
    }
  }
  ~channel_state() {
    up->bind_quietly();
    note(dvpp().acldvppDestroyChannel(handle));
    end_descriptions();
  }
  channel_state(const channel_state &) = delete;
  channel_state &operator=(const channel_state &) = delete;

  void end_descriptions() noexcept {
    note(dvpp().acldvppDestroyResizeConfig(config));
    note(dvpp().acldvppDestroyChannelDesc(handle));
  }

  const std::shared_ptr<context_state> up;
  abi::acldvppChannelDesc *handle = nullptr;
  abi::acldvppResizeConfig *config = nullptr;
};

} // namespace detail

/// A picture in memory of DVPP. Outside, rows follow each other without gaps.
class BELAY_CONSUMABLE Picture {
public:
  /// What it shows is not said: the first use has to write it.
  BELAY_FRESH static Picture uninitialised(const Context &context,
                                           pixels format, uint32_t width,
                                           uint32_t height) {
    return Picture(detail::access::state(context), {format, width, height});
  }
  BELAY_FRESH static Picture from(const Stream &stream, pixels format,
                                  uint32_t width, uint32_t height,
                                  std::vector<uint8_t> bytes) {
    Picture result(detail::access::state(stream)->up, {format, width, height});
    result.upload(stream, std::move(bytes));
    return result;
  }
  BELAY_FRESH Picture(Picture &&) = default;
  Picture &operator=(Picture &&) = default;
  Picture(const Picture &) = delete;
  Picture &operator=(const Picture &) = delete;

  BELAY_LIVE pixels format() const { return layout_.format; }
  BELAY_LIVE uint32_t width() const { return layout_.width; }
  BELAY_LIVE uint32_t height() const { return layout_.height; }
  /// What upload() takes and download() gives.
  BELAY_LIVE std::size_t size() const { return layout_.packed_bytes(); }

  BELAY_LIVE void upload(const Stream &stream, std::vector<uint8_t> bytes) {
    if (bytes.size() != size())
      detail::refuse("Picture::upload", std::to_string(bytes.size()) +
                                            " bytes for " +
                                            std::to_string(size()));
    const auto &in = detail::access::state(stream);
    auto source = std::make_shared<detail::pinned_block>(in->up, size());
    std::memcpy(source->address, bytes.data(), size());
    use(in, "Picture::upload", true, source,
        [&](void *plane, void *packed, unsigned number) {
          BELAY_ACL_CALL(
              aclrtMemcpy2dAsync, plane, layout_.width_stride, packed,
              layout_.row_bytes(), layout_.row_bytes(), layout_.rows(number),
              static_cast<int>(detail::direction::to_device), in->handle);
        });
  }

  BELAY_LIVE Pending<uint8_t> download(const Stream &stream) const {
    const auto &in = detail::access::state(stream);
    auto target = std::make_shared<detail::pinned_block>(in->up, size());
    use(in, "Picture::download", false, target,
        [&](void *plane, void *packed, unsigned number) {
          BELAY_ACL_CALL(
              aclrtMemcpy2dAsync, packed, layout_.row_bytes(), plane,
              layout_.width_stride, layout_.row_bytes(), layout_.rows(number),
              static_cast<int>(detail::direction::to_host), in->handle);
        });
    return {in, std::move(target), size()};
  }

private:
  friend detail::access;
  friend class PictureChannel;
  static constexpr const char *type_name = "Picture";
  BELAY_FRESH Picture(std::shared_ptr<detail::context_state> context,
                      const detail::picture_layout &layout)
      : layout_(layout),
        state_(std::make_shared<detail::block>(
            std::move(context), layout.bytes(), detail::dvpp().acldvppMalloc,
            "acldvppMalloc", detail::dvpp().acldvppFree)) {}

  /// Copies each plane; \p copy gets it, its place in the packed bytes, and its
  /// number.
  template <typename Copy>
  void use(const std::shared_ptr<detail::stream_state> &in, const char *where,
           bool writes, const std::shared_ptr<detail::pinned_block> &packed,
           Copy &&copy) const {
    detail::must_share_device(*in, *detail::access::state(*this), where);
    std::lock_guard lock(state_->mutex);
    state_->order(*in, writes);
    uint64_t task = in->submit(
        [&] {
          auto *plane = static_cast<char *>(state_->address);
          auto *rows = static_cast<char *>(packed->address);
          for (unsigned number = 0; number < layout_.planes(); ++number) {
            copy(plane, rows, number);
            plane += layout_.plane_bytes(number);
            rows += std::size_t(layout_.row_bytes()) * layout_.rows(number);
          }
        },
        [&](auto keep) {
          keep(state_);
          keep(packed);
        });
    state_->used(in, task, writes);
  }

  detail::picture_layout layout_;
  std::shared_ptr<detail::block> state_;
};

/// The unit that works on pictures. Operations are tasks of a stream, and keep
/// pictures and channel until it has passed them.
class BELAY_CONSUMABLE PictureChannel {
public:
  BELAY_FRESH explicit PictureChannel(const Context &context)
      : state_(std::make_shared<detail::channel_state>(
            detail::access::state(context))) {}
  BELAY_FRESH PictureChannel(PictureChannel &&) = default;
  PictureChannel &operator=(PictureChannel &&) = default;
  PictureChannel(const PictureChannel &) = delete;
  PictureChannel &operator=(const PictureChannel &) = delete;

  /// Scales what \p from shows to the size of \p to.
  BELAY_LIVE void resize(const Stream &stream, const Picture &from,
                         Picture &to) const {
    const auto &state = detail::access::state(*this);
    const auto &in = detail::access::state(stream);
    const auto &source = detail::access::state(from);
    const auto &target = detail::access::state(to);
    if (source == target)
      detail::refuse("PictureChannel::resize",
                     "a picture cannot be resized into itself");
    if (from.format() != to.format())
      detail::refuse("PictureChannel::resize",
                     "the pictures have different formats");
    detail::must_share_device(*in, *source, "PictureChannel::resize");
    detail::must_share_device(*in, *target, "PictureChannel::resize");
    if (in->up->up->id != state->up->up->id)
      detail::refuse("PictureChannel::resize",
                     "the stream belongs to another device");
    auto input = std::make_shared<detail::picture_description>(from.layout_,
                                                               source->address);
    auto output = std::make_shared<detail::picture_description>(
        to.layout_, target->address);
    std::array<detail::memory_use, 2> uses = {
        {whole(source, false), whole(target, true)}};
    std::array<std::unique_lock<std::mutex>, 2> locks;
    detail::submit_ordered(
        in, uses, locks,
        [&] {
          BELAY_DVPP_CALL(acldvppVpcResizeAsync, state->handle, input->handle,
                          output->handle, state->config, in->handle);
        },
        [&](auto &keep) {
          keep(state);
          keep(input);
          keep(output);
        });
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "PictureChannel";
  static detail::memory_use whole(const std::shared_ptr<detail::block> &memory,
                                  bool writes) {
    auto *begin = static_cast<const char *>(memory->address);
    return {&memory, writes, begin, begin + memory->bytes};
  }
  std::shared_ptr<detail::channel_state> state_;
};

} // namespace belay::host

#endif // BELAY_HOST_PICTURE_H
