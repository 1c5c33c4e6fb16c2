// std::string: short and long forms, growth, search, substrings, comparison, insertion, erasure and concatenation.
// flags: -std=c++20
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

static void show(const char *what, const std::string &s)
{
    std::printf("%s '%s' %zu\n", what, s.c_str(), s.size());
}

static std::string repeat(std::string_view part, int n)
{
    std::string r;
    while (n-- > 0)
        r += part;
    return r;
}

static std::string reversed(const std::string &s) { return std::string(s.rbegin(), s.rend()); }

static int count_words(std::string_view s)
{
    int words = 0;
    while (!s.empty()) {
        std::size_t at = s.find(' ');
        words += at != 0;
        s = at == std::string_view::npos ? std::string_view() : s.substr(at + 1);
    }
    return words;
}

int main()
{
    std::string s = "short";
    show("initial", s);
    s += " and then some more text to leave the small buffer";
    show("grown", s);
    std::string copy = s, moved = std::move(s);
    copy[0] = 'S';
    show("copy", copy);
    show("moved", moved);
    std::printf("find %zu %zu %d\n", moved.find("then"), moved.rfind('m'), moved.find("zzz") == std::string::npos);
    show("substr", moved.substr(10, 9));
    copy.erase(5, 9);
    copy.insert(0, ">> ");
    copy.replace(3, 5, "LONG");
    show("edited", copy);
    std::printf("compare %d %d %d\n", std::string("abc") < std::string("abd"), std::string("abc") == "abc",
                std::string("b").compare("a") > 0);
    show("joined", repeat("ab", 3) + "-" + repeat("xyz", 10));
    show("reversed", reversed("palindrome"));
    std::printf("words %d %d\n", count_words("one two  three"), count_words(""));
    std::string letters;
    for (char c = 'a'; c <= 'z'; c++)
        letters.push_back(c);
    letters.resize(28, '!');
    letters.pop_back();
    show("letters", letters);
    std::swap(letters, copy);
    std::printf("swapped %s\n", letters.c_str());
    std::string number = std::to_string(-12345) + "/" + std::to_string(67890u);
    show("number", number);
    std::string array[3] = { "pear", "apple", std::string(3, 'x') };
    std::string smallest = array[0];
    for (const auto &w : array)
        if (w < smallest)
            smallest = w;
    show("smallest", smallest);
    unsigned hash = 7;
    for (char c : copy)
        hash = hash * 31 + static_cast<unsigned char>(c);
    std::printf("hash %u\n", hash);
    return static_cast<int>(hash & 0x7f);
}
