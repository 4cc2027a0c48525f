#include "support/test.h"

#include "base/hash.h"

void test_hash__sha256_and_hmac_give_the_published_values(void **state)
{
    char hex[TC_HASH_HEX_SIZE];
    uint8_t mac[TC_HASH_SIZE];
    (void)state;

    tc_hash_sha256_hex(TC_STR("abc"), hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    tc_hash_hmac(TC_STR("Jefe"), TC_STR("what do ya want for nothing?"), mac);
    tc_hash_hex(mac, sizeof mac, hex);
    assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}
