# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The words that cannot be names in C++: keywords, alternative operators, and identifiers with a special meaning.
set(baton_keywords
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do double
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
    not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof
    static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
    unsigned using virtual void volatile wchar_t while xor xor_eq import module main)

# The words that are keywords of C, but not of C++.
set(baton_c_keywords restrict typeof typeof_unqual)
# The headers of C and POSIX, without their suffix. A header of the same name would replace them.
set(baton_c_headers
    aio alloca assert complex cpio ctype dirent dlfcn endian errno fcntl fenv float fmtmsg fnmatch ftw glob grp iconv inttypes iso646
    langinfo libgen limits locale malloc math memory monetary mqueue ndbm netdb nl_types poll pthread pwd regex sched search semaphore
    setjmp signal spawn stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings stropts
    syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx wchar wctype wordexp)
