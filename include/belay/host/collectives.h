//===- collectives.h - Ranks, and what they do together ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HCCL: a Communicator is one rank of a group, on one device. Its collectives
// are tasks of a stream, like launches: they return at once, and keep what they
// use until the stream has passed them. All ranks of a group have to call the
// same collectives in the same order.
//
//   std::vector<Communicator> ranks = Communicator::all(devices);
//   ranks[r].all_reduce(stream, gradient, reduce::sum);
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_COLLECTIVES_H
#define BELAY_HOST_COLLECTIVES_H

#include "belay/host/memory.h"

#include <array>

namespace belay::host {

namespace abi {

struct HcclRootInfo {
  char internal[4108];
};
struct HcclSendRecvItem {
  int kind; // 0: send, 1: receive
  void *buffer;
  uint64_t count;
  int type;
  uint32_t rank;
};
struct HcclCommConfig;
union HcclConfigValue;

/// The functions of libhccl.so; null where the library has not got one.
struct hccl_functions {
#define BELAY_HCCL(Result, Name, Params) Result(*Name) Params = nullptr;
#include "belay/host/hccl.def"
};

} // namespace abi

/// Which one of the ranks of a communicator; not a device, nor a count.
struct Rank {
  uint32_t number;
  friend bool operator==(Rank, Rank) = default;
};

/// What becomes of the elements of all ranks.
enum class reduce : int { sum = 0, product = 1, max = 2, min = 3 };

namespace detail {

/// Loaded at the first use, for good.
inline const abi::hccl_functions &hccl() {
  static const auto &only = *[] {
    auto *f = new abi::hccl_functions;
    if (void *library = open_beside("libhccl.so")) {
#define BELAY_HCCL(Result, Name, Params)                                       \
  f->Name = reinterpret_cast<decltype(f->Name)>(dlsym(library, #Name));
#include "belay/host/hccl.def"
    }
    return f;
  }();
  return only;
}

#define BELAY_HCCL_CALL(Name, ...)                                             \
  ::belay::host::detail::check(                                                \
      ::belay::host::detail::require(::belay::host::detail::hccl().Name,       \
                                     #Name)(__VA_ARGS__),                      \
      #Name)

/// HCCL's number of a type; -1 for those that it does not know.
template <typename T> constexpr int hccl_type() {
  return element_types::hccl_number(element_types::element_of<T>);
}

template <typename> struct element_of {};
template <typename T> struct element_of<DeviceBuffer<T>> {
  using type = T;
};
template <typename T, bool R, bool W> struct element_of<Argument<T, R, W>> {
  using type = T;
};
template <typename Memory>
using element_t = typename element_of<std::remove_cvref_t<Memory>>::type;

/// Types that ranks can send to each other.
template <typename T>
concept communicable = hccl_type<T>() >= 0;

/// A buffer, or a part of one, whose elements HCCL knows.
template <typename Memory>
concept source = communicable<element_t<Memory>> &&
                 std::convertible_to<Memory, In<element_t<Memory>>>;
template <typename Memory>
concept target = communicable<element_t<Memory>> &&
                 std::convertible_to<Memory, Out<element_t<Memory>>>;
template <typename Memory>
concept both = communicable<element_t<Memory>> &&
               std::convertible_to<Memory, InOut<element_t<Memory>>>;
template <typename From, typename To>
concept same_elements = std::same_as<element_t<From>, element_t<To>>;

struct communicator_state {
  communicator_state(std::shared_ptr<context_state> parent, void *made)
      : up(std::move(parent)), handle(made) {
    up->bind();
    BELAY_HCCL_CALL(HcclGetRankId, handle, &rank);
    BELAY_HCCL_CALL(HcclGetRankSize, handle, &ranks);
  }
  ~communicator_state() {
    // Streams hold it until they have passed its last task.
    up->bind_quietly();
    note(hccl().HcclCommDestroy(handle));
  }
  communicator_state(const communicator_state &) = delete;
  communicator_state &operator=(const communicator_state &) = delete;

  const std::shared_ptr<context_state> up;
  void *handle;
  uint32_t rank = 0, ranks = 0;
};

} // namespace detail

/// What one rank makes, and all others have to have, by whatever way the
/// program has between its processes. It names the process that made it, which
/// has to live until all ranks have joined.
class [[nodiscard]] RootInfo {
public:
  static constexpr std::size_t size = sizeof(abi::HcclRootInfo);

  explicit RootInfo(const Context &context) {
    detail::access::state(context)->bind();
    BELAY_HCCL_CALL(HcclGetRootInfo, &info_);
  }
  explicit RootInfo(std::span<const std::byte> bytes) {
    if (bytes.size() != size)
      detail::refuse("RootInfo", std::to_string(bytes.size()) + " bytes, not " +
                                     std::to_string(size));
    std::memcpy(&info_, bytes.data(), size);
  }
  std::span<const std::byte, size> bytes() const {
    return std::as_bytes(std::span(info_.internal));
  }

private:
  friend class Communicator;
  abi::HcclRootInfo info_ = {};
};

/// A buffer that is passed stays what it is: clang shall not wonder.
#if defined(__clang__)
#define BELAY_STAYS __attribute__((return_typestate(unconsumed)))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconsumed"
#else
#define BELAY_STAYS
#endif

/// One rank of a group, on one device.
class [[nodiscard]] BELAY_CONSUMABLE Communicator {
public:
  /// Joins; waits until all ranks have done so.
  BELAY_FRESH Communicator(const Context &context, const RootInfo &root,
                           Rank rank, uint32_t ranks) {
    const auto &up = detail::access::state(context);
    up->bind();
    void *handle = nullptr;
    BELAY_HCCL_CALL(HcclCommInitRootInfo, ranks, &root.info_, rank.number,
                    &handle);
    state_ = std::make_shared<detail::communicator_state>(up, handle);
  }
  /// Joins those of a rank table, a file in JSON.
  BELAY_FRESH Communicator(const Context &context,
                           const std::string &rank_table, Rank rank) {
    const auto &up = detail::access::state(context);
    up->bind();
    void *handle = nullptr;
    BELAY_HCCL_CALL(HcclCommInitClusterInfo, rank_table.c_str(), rank.number,
                    &handle);
    state_ = std::make_shared<detail::communicator_state>(up, handle);
  }
  /// All ranks in one process, one for each device.
  static std::vector<Communicator> all(std::span<const Device> devices) {
    std::vector<int32_t> ids;
    for (const Device &device : devices)
      ids.push_back(device.id());
    std::vector<void *> handles(ids.size());
    BELAY_HCCL_CALL(HcclCommInitAll, static_cast<uint32_t>(ids.size()),
                    ids.data(), handles.data());
    std::vector<Communicator> result;
    for (std::size_t n = 0; n < ids.size(); ++n)
      result.push_back(
          Communicator(std::make_shared<detail::communicator_state>(
              detail::access::state(Context(devices[n])), handles[n])));
    return result;
  }

  BELAY_FRESH Communicator(Communicator &&) = default;
  Communicator &operator=(Communicator &&) = default;
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  BELAY_LIVE Rank rank() const { return {detail::access::state(*this)->rank}; }
  /// How many ranks there are.
  BELAY_LIVE uint32_t size() const {
    return detail::access::state(*this)->ranks;
  }

  /// \name Collectives. Every rank of the group calls them, in the same order,
  /// with memory of the same size, type and reduction.
  /// @{

  /// Every rank gets the reduction of all.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void all_reduce(const Stream &stream, From &&from BELAY_STAYS,
                             To &&to BELAY_STAYS, reduce how) const {
    const call c(*this, stream, "Communicator::all_reduce");
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(in.size(), out.size(), 1);
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclAllReduce, in.address(), out.address(), in.size(),
                      type(in), static_cast<int>(how), comm, s);
    });
  }
  /// In place.
  template <detail::both Memory>
  BELAY_LIVE void all_reduce(const Stream &stream, Memory &&memory BELAY_STAYS,
                             reduce how) const {
    const call c(*this, stream, "Communicator::all_reduce");
    auto all = c.inout(memory);
    c.submit(std::array{c.use(all)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclAllReduce, all.address(), all.address(), all.size(),
                      type(all), static_cast<int>(how), comm, s);
    });
  }

  /// Every rank gets what the root has.
  template <detail::both Memory>
  BELAY_LIVE void broadcast(const Stream &stream, Memory &&memory BELAY_STAYS,
                            Rank root) const {
    const call c(*this, stream, "Communicator::broadcast");
    c.must_exist(root);
    auto all = c.inout(memory);
    c.submit(std::array{c.use(all)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclBroadcast, all.address(), all.size(), type(all),
                      root.number, comm, s);
    });
  }

  /// Every rank gets what all have, one after the other.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void all_gather(const Stream &stream, From &&from BELAY_STAYS,
                             To &&to BELAY_STAYS) const {
    const call c(*this, stream, "Communicator::all_gather");
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(out.size(), in.size(), size());
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclAllGather, in.address(), out.address(), in.size(),
                      type(in), comm, s);
    });
  }

  /// Every rank gets its part of the reduction of all.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void reduce_scatter(const Stream &stream, From &&from BELAY_STAYS,
                                 To &&to BELAY_STAYS, reduce how) const {
    const call c(*this, stream, "Communicator::reduce_scatter");
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(in.size(), out.size(), size());
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclReduceScatter, in.address(), out.address(),
                      out.size(), type(in), static_cast<int>(how), comm, s);
    });
  }

  /// The root gets the reduction of all; what others pass for it stays as it
  /// is.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void reduce_to(const Stream &stream, From &&from BELAY_STAYS,
                            To &&to BELAY_STAYS, reduce how, Rank root) const {
    const call c(*this, stream, "Communicator::reduce_to");
    c.must_exist(root);
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(in.size(), out.size(), 1);
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclReduce, in.address(), out.address(), in.size(),
                      type(in), static_cast<int>(how), root.number, comm, s);
    });
  }

  /// Every rank gets its part of what the root has. What others pass for that
  /// is not read; it may be empty.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void scatter(const Stream &stream, From &&from BELAY_STAYS,
                          To &&to BELAY_STAYS, Rank root) const {
    const call c(*this, stream, "Communicator::scatter");
    c.must_exist(root);
    auto in = c.in(from);
    auto out = c.out(to);
    if (rank() == root)
      c.same_size(in.size(), out.size(), size());
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclScatter, in.address(), out.address(), out.size(),
                      type(in), root.number, comm, s);
    });
  }

  /// Part r of what a rank has goes to rank r.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void all_to_all(const Stream &stream, From &&from BELAY_STAYS,
                             To &&to BELAY_STAYS) const {
    const call c(*this, stream, "Communicator::all_to_all");
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(in.size(), out.size(), 1);
    c.same_size(in.size(), in.size() / size(), size());
    c.apart(in, out);
    uint64_t each = in.size() / size();
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclAlltoAll, in.address(), each, type(in), out.address(),
                      each, type(in), comm, s);
    });
  }
  /// The same with parts of different sizes, one after the other: what this
  /// rank gives to each, and takes from each.
  template <detail::source From, detail::target To>
    requires detail::same_elements<From, To>
  BELAY_LIVE void all_to_all(const Stream &stream, From &&from BELAY_STAYS,
                             std::span<const uint64_t> gives,
                             To &&to BELAY_STAYS,
                             std::span<const uint64_t> takes) const {
    const call c(*this, stream, "Communicator::all_to_all");
    auto in = c.in(from);
    auto out = c.out(to);
    c.same_size(gives.size(), size(), 1);
    c.same_size(takes.size(), size(), 1);
    auto from_places = c.places(gives, in.size());
    auto to_places = c.places(takes, out.size());
    c.apart(in, out);
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclAlltoAllV, in.address(), gives.data(),
                      from_places.data(), type(in), out.address(), takes.data(),
                      to_places.data(), type(in), comm, s);
    });
  }

  /// What follows it in the stream waits until all ranks are here.
  BELAY_LIVE void barrier(const Stream &stream) const {
    const call c(*this, stream, "Communicator::barrier");
    c.submit(std::array<detail::memory_use, 0>{}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclBarrier, comm, s);
    });
  }
  /// @}

  /// \name Messages from one rank to another.
  /// @{
  template <detail::source From>
  BELAY_LIVE void send(const Stream &stream, From &&from BELAY_STAYS,
                       Rank to) const {
    const call c(*this, stream, "Communicator::send");
    c.must_be_another(to);
    auto in = c.in(from);
    c.submit(std::array{c.use(in)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclSend, in.address(), in.size(), type(in), to.number,
                      comm, s);
    });
  }
  template <detail::target To>
  BELAY_LIVE void receive(const Stream &stream, To &&to BELAY_STAYS,
                          Rank from) const {
    const call c(*this, stream, "Communicator::receive");
    c.must_be_another(from);
    auto out = c.out(to);
    c.submit(std::array{c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclRecv, out.address(), out.size(), type(out),
                      from.number, comm, s);
    });
  }
  /// Sends and receives at the same time, so that ranks that do this in a
  /// circle do not wait for each other.
  template <detail::source From, detail::target To>
  BELAY_LIVE void exchange(const Stream &stream, From &&what BELAY_STAYS,
                           Rank to, To &&where BELAY_STAYS, Rank from) const {
    const call c(*this, stream, "Communicator::exchange");
    c.must_exist(to);
    c.must_exist(from);
    auto in = c.in(what);
    auto out = c.out(where);
    c.apart(in, out);
    abi::HcclSendRecvItem items[] = {
        {0, in.address(), in.size(), type(in), to.number},
        {1, out.address(), out.size(), type(out), from.number}};
    c.submit(std::array{c.use(in), c.use(out)}, [&](void *comm, void *s) {
      BELAY_HCCL_CALL(HcclBatchSendRecv, items, 2, comm, s);
    });
  }
  /// @}

private:
  friend detail::access;
  static constexpr const char *type_name = "Communicator";
  BELAY_FRESH explicit Communicator(
      std::shared_ptr<detail::communicator_state> state)
      : state_(std::move(state)) {}

  template <typename T, bool R, bool W>
  static int type(const Argument<T, R, W> &) {
    return detail::hccl_type<T>();
  }

  /// What all of them check and do.
  class call {
  public:
    call(const Communicator &of, const Stream &stream, const char *where)
        : comm_(detail::access::state(of)), in_(detail::access::state(stream)),
          where_(where) {
      int here = comm_->up->up->id, there = in_->up->up->id;
      if (here != there)
        refuse("the rank is on device " + std::to_string(here) +
               ", the stream on device " + std::to_string(there));
    }

    template <typename Memory> auto in(Memory &&memory) const {
      return placed(In<detail::element_t<Memory>>(memory));
    }
    template <typename Memory> auto out(Memory &&memory) const {
      return placed(Out<detail::element_t<Memory>>(memory));
    }
    template <typename Memory> auto inout(Memory &&memory) const {
      return placed(InOut<detail::element_t<Memory>>(memory));
    }

    void same_size(std::size_t whole, std::size_t part,
                   std::size_t times) const {
      if (whole != part * times)
        refuse(std::to_string(whole) + " elements, where " +
               std::to_string(part) +
               (times == 1 ? "" : " of each of " + std::to_string(times)) +
               " are needed");
    }
    template <typename A, typename B>
    void apart(const A &in, const B &out) const {
      if (use(in).overlaps(use(out)))
        refuse("what is sent and what is received overlap");
    }
    void must_exist(Rank rank) const {
      if (rank.number >= comm_->ranks)
        refuse("there is no rank " + std::to_string(rank.number) + " of " +
               std::to_string(comm_->ranks));
    }
    void must_be_another(Rank rank) const {
      must_exist(rank);
      if (rank.number == comm_->rank)
        refuse("this is the rank itself; exchange() can do that");
    }
    /// Where the parts begin.
    std::vector<uint64_t> places(std::span<const uint64_t> counts,
                                 std::size_t whole) const {
      std::vector<uint64_t> result;
      uint64_t place = 0;
      for (uint64_t count : counts) {
        result.push_back(place);
        place += count;
      }
      same_size(whole, place, 1);
      return result;
    }

    template <typename T, bool R, bool W>
    detail::memory_use use(const Argument<T, R, W> &memory) const {
      auto *begin = static_cast<const char *>(memory.address());
      return {&memory.memory(), W, begin, begin + memory.size() * sizeof(T)};
    }
    template <std::size_t N, typename Enqueue>
    void submit(std::array<detail::memory_use, N> uses,
                Enqueue &&enqueue) const {
      std::array<std::unique_lock<std::mutex>, N> locks;
      detail::submit_ordered(
          in_, uses, locks, [&] { enqueue(comm_->handle, in_->handle); },
          [&](auto &keep) { keep(comm_); });
    }

  private:
    [[noreturn]] void refuse(const std::string &why) const {
      detail::refuse(where_, why);
    }
    template <typename Memory> Memory placed(Memory memory) const {
      detail::must_share_device(*in_, *memory.memory(), where_);
      return memory;
    }

    const std::shared_ptr<detail::communicator_state> &comm_;
    const std::shared_ptr<detail::stream_state> &in_;
    const char *where_;
  };

  std::shared_ptr<detail::communicator_state> state_;
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#undef BELAY_STAYS
#undef BELAY_HCCL_CALL

} // namespace belay::host

#endif // BELAY_HOST_COLLECTIVES_H
