#ifndef DK_MATH
#define DK_MATH
double fabs(double x);
double sqrt(double x);
double cbrt(double x);
double pow(double x, double y);
double exp(double x);
double log(double x);
double log2(double x);
double log10(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double floor(double x);
double ceil(double x);
double round(double x);
double trunc(double x);
double fmod(double x, double y);
double hypot(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
#define M_PI 3.14159265358979323846
#endif
