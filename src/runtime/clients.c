/*
 * Clients of one token that give the same name and version are one.
 */
#include "runtime/clients.h"

#include "base/utf8.h"

static void copy(char *to, size_t size, struct tc_str text)
{
    size_t n = text.n < size - 1 ? text.n : size - 1;

    n = n ? tc_utf8_valid(tc_str_n(text.p, n)) : 0;
    if (n)
        memcpy(to, text.p, n);
    to[n] = '\0';
}

#define COPY(to, text) copy((to), sizeof(to), (text))

static bool same(const struct tc_client *a, const struct tc_client *b)
{
    return a->came_at && strcmp(a->principal_kind, b->principal_kind) == 0 &&
           strcmp(a->principal_id, b->principal_id) == 0 && strcmp(a->agent, b->agent) == 0;
}

static int64_t last_act(const struct tc_client *client)
{
    int64_t at = client->came_at;

    at = client->listed_at > at ? client->listed_at : at;
    return client->called_at > at ? client->called_at : at;
}

/* The one that is meant, or NULL. */
static struct tc_client *find(struct tc_clients *clients, const struct tc_client *like, bool named)
{
    struct tc_client *found = NULL;

    for (size_t i = 0; i < TC_CLIENTS_MAX; i++) {
        struct tc_client *one = &clients->all[i];
        if (!same(one, like) ||
            (named && (strcmp(one->name, like->name) != 0 || strcmp(one->version, like->version) != 0)))
            continue;
        if (!found || one->came_at > found->came_at)
            found = one;
    }
    return found;
}

/* A place for another: a free one, or that of the one that was idle longest. */
static struct tc_client *take_place(struct tc_clients *clients)
{
    struct tc_client *place = &clients->all[0];

    for (size_t i = 1; i < TC_CLIENTS_MAX; i++)
        if (last_act(&clients->all[i]) < last_act(place))
            place = &clients->all[i];
    return place;
}

void tc_clients_init(struct tc_clients *clients, struct tc_pulse *pulse)
{
    *clients = (struct tc_clients){.pulse = pulse};
}

void tc_clients_hear(struct tc_clients *clients, const struct tc_client_said *said, enum tc_client_act act,
                     int64_t now)
{
    struct tc_client like = {.came_at = now}, *client;
    bool new;

    COPY(like.principal_kind, said->principal->kind);
    COPY(like.principal_id, said->principal->id);
    COPY(like.agent, said->agent);
    COPY(like.name, said->name);
    COPY(like.version, said->version);
    COPY(like.protocol, said->protocol);
    client = find(clients, &like, said->name.p != NULL);
    new = !client || act == TC_CLIENT_CAME || (act == TC_CLIENT_LISTED && !client->listed_at);
    if (!client) {
        client = take_place(clients);
        *client = like;
    }
    memcpy(client->protocol, like.protocol, sizeof like.protocol);
    if (act == TC_CLIENT_CAME)
        client->came_at = now;
    else if (act == TC_CLIENT_LISTED)
        client->listed_at = now;
    else
        client->called_at = now;
    if (new)
        tc_pulse_beat(clients->pulse, TC_PULSE_TOKENS); /* theirs was used */
}
