constexpr uint32_t N = SIZE;
