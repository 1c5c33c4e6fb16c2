// A month number that starts at one indexes a global table of twelve that starts at zero.
// sanitizer: address
#include <stdio.h>

static int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static int days_in(int month) { return days[month]; } //~ out-of-bounds

int main(void)
{
    int total = 0;
    for (int month = 1; month <= 12; month++)
        total += days_in(month);
    printf("%d\n", total > 0);
    return 0;
}
