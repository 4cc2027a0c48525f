/*
 * A keeper of secrets without a key: it turns bits around and hashes openly.
 */
#ifndef TESTS_SUPPORT_FAKE_SECRETS_H
#define TESTS_SUPPORT_FAKE_SECRETS_H

#include "ports/secrets.h"

extern const struct tc_secrets_ops fake_secrets_ops;

#endif
