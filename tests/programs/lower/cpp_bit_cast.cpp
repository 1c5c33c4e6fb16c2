// std::bit_cast and memcpy punning, endianness, popcount and rotations from the bit header, bytes of trivial objects.
// flags: -std=c++20
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Packet {
    std::uint16_t kind;
    std::uint16_t length;
    float value;
};

constexpr std::uint32_t float_bits(float f) { return std::bit_cast<std::uint32_t>(f); }
static_assert(float_bits(1.0f) == 0x3f800000);

static double negate(double d) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(d) ^ (1ull << 63)); }

template <class T> static std::array<unsigned char, sizeof(T)> bytes_of(const T &v)
{
    return std::bit_cast<std::array<unsigned char, sizeof(T)>>(v);
}

template <class T> static void dump(const char *what, const T &v)
{
    std::printf("%s", what);
    for (unsigned char b : bytes_of(v))
        std::printf(" %02x", b);
    std::printf("\n");
}

static std::uint64_t pack(Packet p) { return std::bit_cast<std::uint64_t>(p); }
static Packet unpack(std::uint64_t w) { return std::bit_cast<Packet>(w); }

int main()
{
    dump("int", 0x01020304);
    dump("double", -2.5);
    dump("packet", Packet{ 1, 513, 0.5f });
    std::printf("negate %g %g\n", negate(3.5), negate(-0.0) == 0 ? 1.0 : 2.0);
    std::uint64_t w = pack({ 7, 8, -1.5f });
    Packet p = unpack(w + 1);
    std::printf("pack %016llx kind %d length %d value %g\n", static_cast<unsigned long long>(w), p.kind, p.length,
                static_cast<double>(p.value));
    std::printf("endian %d\n", std::endian::native == std::endian::little);
    std::uint32_t v = 0xf0f00001u;
    std::printf("bits %d %d %d %d\n", std::popcount(v), std::countl_zero(v >> 5), std::countr_zero(v << 9),
                std::countl_one(v));
    std::printf("rotate %08x %08x\n", std::rotl(v, 8), std::rotr(v, 3));
    std::printf("powers %d %u %u %d\n", std::has_single_bit(64u), std::bit_ceil(65u), std::bit_floor(65u),
                static_cast<int>(std::bit_width(1000u)));
    std::printf("zero %d %d\n", std::countl_zero(static_cast<std::uint16_t>(0)), std::popcount(0u));
    std::array<std::uint16_t, 4> halves = std::bit_cast<std::array<std::uint16_t, 4>>(0x0001000200030004ull);
    std::printf("halves %d %d %d %d\n", halves[0], halves[1], halves[2], halves[3]);
    unsigned char raw[sizeof(Packet) + 1];
    std::memcpy(raw + 1, &p, sizeof p);
    raw[1] ^= 0xff;
    Packet q;
    std::memcpy(&q, raw + 1, sizeof q);
    std::printf("raw %x %d\n", q.kind, q.length == p.length);
    std::byte b{ 0x5a };
    b = (b << 1) ^ std::byte{ 0x0f };
    std::printf("byte %d\n", std::to_integer<int>(b));
    int *pointer = std::bit_cast<int *>(std::bit_cast<std::uintptr_t>(&halves));
    std::printf("pointer %d\n", static_cast<void *>(pointer) == static_cast<void *>(&halves));
    return std::popcount(v) * 10;
}
