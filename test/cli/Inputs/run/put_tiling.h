struct PutTiling {
  int n;
  float unused;
  struct {
    short k[3];
  } inner;
};
