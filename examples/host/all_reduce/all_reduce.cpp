// Data-parallel training: each rank has a device and a part of the rows,
// computes the gradient of its part with a kernel, and takes the same step as
// all others after an all-reduce of the gradients.
//
//   belay object gradient.cpp -o gradient.o
//   all_reduce gradient.o RANKS STEPS x.bin t.bin w.bin [RANK root.bin]
//
// All ranks in one process, each in a thread of its own; or, with RANK, one of
// as many processes, which find each other by root.bin.
#include "../files.h"
#include "belay/host.h"

#include <cstdio>
#include <filesystem>
#include <thread>

using namespace belay::host;

struct Job {
  std::string kernels;
  uint32_t ranks, steps;
  std::vector<float> x, t, w; // rows, their targets, the first weights
};

static std::vector<float> train(const Job &job, const Device &device,
                                const Communicator &ranks) {
  auto columns = static_cast<uint32_t>(job.w.size());
  auto total = static_cast<uint32_t>(job.t.size());
  uint32_t first = total * ranks.rank().number / ranks.size();
  uint32_t last = total * (ranks.rank().number + 1) / ranks.size();

  Stream stream(device);
  Module module(device, job.kernels);
  Kernel<void(In<float>, In<float>, In<float>, Out<float>, uint32_t, uint32_t,
              float)>
      gradient(module, "gradient");
  Kernel<void(InOut<float>, In<float>, uint32_t, float)> update(module,
                                                                "update");
  auto x = DeviceBuffer<float>::from(stream, {job.x.begin() + first * columns,
                                              job.x.begin() + last * columns});
  auto t = DeviceBuffer<float>::from(
      stream, {job.t.begin() + first, job.t.begin() + last});
  auto w = DeviceBuffer<float>::from(stream, job.w);
  auto g = DeviceBuffer<float>::uninitialised(device, columns);

  for (uint32_t step = 0; step < job.steps; ++step) {
    // The mean over all rows is the sum of what each rank has of it.
    gradient.launch(stream, 1, x, t, w, g, last - first, columns,
                    2.0f / static_cast<float>(total));
    ranks.all_reduce(stream, g, reduce::sum);
    update.launch(stream, 1, w, g, columns, 0.1f);
  }
  return w.download(stream).wait();
}

static std::vector<float> train_here(const Job &job) {
  std::vector<Device> devices;
  for (uint32_t rank = 0; rank < job.ranks; ++rank)
    devices.emplace_back(static_cast<int>(rank));
  std::vector<Communicator> ranks = Communicator::all(devices);
  std::vector<std::vector<float>> results(job.ranks);
  std::vector<std::jthread> threads;
  for (uint32_t rank = 0; rank < job.ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        results[rank] = train(job, devices[rank], ranks[rank]);
      } catch (const std::exception &failure) {
        std::fprintf(stderr, "rank %u: %s\n", rank, failure.what());
      }
    });
  threads.clear(); // waits
  for (const std::vector<float> &each : results)
    if (each.empty() || each != results[0])
      throw std::runtime_error("the ranks do not agree");
  return results[0];
}

/// The first rank writes how to find it, whole or not at all.
static RootInfo rendezvous(const Device &device, uint32_t rank,
                           const std::string &path) {
  if (rank == 0) {
    RootInfo root(device);
    auto bytes = root.bytes();
    write_numbers(path + ".new",
                  std::vector<std::byte>(bytes.begin(), bytes.end()));
    std::filesystem::rename(path + ".new", path);
    return root;
  }
  while (!std::filesystem::exists(path))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return RootInfo(read_numbers<std::byte>(path));
}

int main(int argc, char **argv) {
  if (argc != 7 && argc != 9)
    return std::fprintf(stderr, "usage: all_reduce gradient.o RANKS STEPS "
                                "x.bin t.bin w.bin [RANK root.bin]\n"),
           2;
  try {
    Job job = {argv[1],
               static_cast<uint32_t>(std::stoul(argv[2])),
               static_cast<uint32_t>(std::stoul(argv[3])),
               read_numbers<float>(argv[4]),
               read_numbers<float>(argv[5]),
               read_numbers<float>(argv[6])};
    if (argc == 7) {
      write_numbers(argv[6], train_here(job));
      return 0;
    }
    auto rank = static_cast<uint32_t>(std::stoul(argv[7]));
    Acl acl;
    Device device(acl, static_cast<int>(rank % acl.device_count()));
    Communicator ranks(device, rendezvous(device, rank, argv[8]), Rank{rank},
                       job.ranks);
    std::vector<float> w = train(job, device, ranks);
    write_numbers(std::string(argv[6]) + "." + argv[7], w);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "all_reduce: %s\n", failure.what());
    return 1;
  }
}
