/*
 * The proof: a FIN came, and what had come by then was acknowledged with it. Who
 * closes while bytes lie unread answers with a reset instead, as does who dies;
 * either says nothing of what was read before. A server that ends its side of a
 * connection must not take a further request from it (RFC 9112, 9.6), and what
 * comes after a close() is refused by the kernel.
 */
#include "http/delivery.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

enum { CLOSED = 7, CLOSE_WAIT = 8 }; /* states of tcp_info; libc's header for them excludes the kernel's */

/* A reset that comes after a FIN leaves another error than one that comes alone. */
static bool was_finished(int fd, const struct tcp_info *info)
{
    int error = 0;
    socklen_t size = sizeof error;

    if (info->tcpi_state == CLOSE_WAIT)
        return true;
    return info->tcpi_state == CLOSED && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == EPIPE;
}

bool tc_delivery_failed(int fd, size_t n)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    uint64_t written;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
        size < offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof info.tcpi_bytes_retrans)
        return false;
    /* The SYN counts as acknowledged, and not as sent: one byte less than it could be. */
    written = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
    return written > info.tcpi_bytes_acked + n && was_finished(fd, &info);
}
