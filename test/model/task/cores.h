// Headers ask which core they are compiled for.
#if defined(__DAV_C220_CUBE__)
constexpr int32_t COMPILED_FOR = 1;
__aicore__ inline int32_t OnlyOnCubes() { return 10; }
#elif defined(__DAV_C220_VEC__)
constexpr int32_t COMPILED_FOR = 2;
__aicore__ inline int32_t OnlyOnVectors() { return 20; }
#else
#error "compiled for neither"
#endif
