// A header that the kernel includes.
