// Copies that are cut off at the size of the destination, as in OpenBSD and glibc 2.38.
// models: strlcpy strlcat

#include <stddef.h>

size_t strlcpy(char *dst, const char *src, size_t size) {
    size_t length = 0;
    while (src[length] != '\0') {
        if (length + 1 < size) {
            dst[length] = src[length];
        }
        length++;
    }
    if (size != 0) {
        dst[length < size ? length : size - 1] = '\0';
    }
    return length;
}

size_t strlcat(char *dst, const char *src, size_t size) {
    size_t used = 0;
    while (used < size && dst[used] != '\0') {
        used++;
    }
    return used + strlcpy(dst + used, src, size - used);
}
