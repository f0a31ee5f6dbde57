#ifndef RIGPROOF_BASE_SANITIZER_H
#define RIGPROOF_BASE_SANITIZER_H

/* ADDRESS_SANITIZER: this build has it. Compilers say so in two ways. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

#endif
