/*
 * The details of sound: WAVE, MP3, FLAC, Ogg, AU, MIDI; and what ISO's media are for.
 */
#include "shell/magic/magic.h"

struct name {
    unsigned value;
    const char *text;
};

static const char *name_of(const struct name *names, size_t n, unsigned value)
{
    for (size_t i = 0; i < n; i++)
        if (names[i].value == value)
            return names[i].text;
    return "";
}
#define NAME_OF(names, value) name_of(names, sizeof(names) / sizeof *(names), value)

/* --- WAVE --- */

const char *tc_magic_wave(struct tc_magic *m)
{
    static const struct name codings[] = {
        {2, ", Microsoft ADPCM"}, {3, ", IEEE Float"}, {5, ", IBM CVSD"}, {6, ", ITU G.711 A-law"},
        {7, ", ITU G.711 mu-law"}, {0x10, ", OKI ADPCM"}, {0x11, ", IMA ADPCM"},
        {0x14, ", ITU G.723 ADPCM (Yamaha)"}, {0x15, ", DSP Solutions DIGISTD"}, {0x16, ", DSP Solutions DIGIFIX"},
        {0x17, ", Dialogic OKI ADPCM"}, {0x20, ", Yamaha ADPCM"}, {0x22, ", DSP Group True Speech"},
        {0x31, ", GSM 6.10"}, {0x40, ", ITU G.721 ADPCM"}, {0x50, ", MPEG"}, {0x55, ", MPEG Layer 3"},
        {0x61, ", ESPCM"}, {0x70, ", Voxware AC8"}, {0x92, ", Dolby AC3 S/PDIF"}, {0x2000, ", AC3 DVM"}};
    struct tc_str s = m->head;
    unsigned coding = (unsigned)tc_magic_little(s, 20, 2), channels = (unsigned)tc_magic_little(s, 22, 2);
    const char *sides = channels == 1 ? "mono" : channels == 2 ? "stereo" : NULL, *name;

    if (!tc_str_starts(tc_str_from(s, 12), TC_STR("fmt ")) || s.n < 36)
        return "RIFF (little-endian) data, WAVE audio";
    if (!sides)
        sides = tc_arena_printf(m->c->arena, "%u channels", channels).p;
    name = coding == 1 ? tc_arena_printf(m->c->arena, ", Microsoft PCM, %u bit",
                                         (unsigned)tc_magic_little(s, 34, 2)).p
                       : NAME_OF(codings, coding);
    return tc_arena_printf(m->c->arena, "RIFF (little-endian) data, WAVE audio%s, %s %u Hz", name ? name : "",
                           sides ? sides : "", (unsigned)tc_magic_little(s, 24, 4)).p;
}

/* --- MP3 --- */

/* A frame of MPEG's layer III at `at`; NULL when there is none. */
static const char *mpeg_frame(struct tc_magic *m, size_t at)
{
    static const unsigned bits[2][16] = {{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
                                         {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}};
    static const char *const rates[2][4] = {{"22.05", "24", "16", NULL}, {"44.1", "48", "32", NULL}};
    static const char *const modes[] = {"Stereo", "JntStereo", "2x Monaural", "Monaural"};
    unsigned head = (unsigned)tc_magic_big(m->head, at, 4), first = head >> 16 & 0xfffe, v1 = first == 0xfffa;

    if ((first != 0xfffa && first != 0xfff2) || !bits[v1][head >> 12 & 15] || !rates[v1][head >> 10 & 3])
        return NULL;
    return tc_arena_printf(m->c->arena, "MPEG ADTS, layer III, v%d, %3u kbps, %s kHz, %s", v1 ? 1 : 2,
                           bits[v1][head >> 12 & 15], rates[v1][head >> 10 & 3], modes[head >> 6 & 3]).p;
}

const char *tc_magic_mpeg(struct tc_magic *m)
{
    struct tc_str s = m->head;
    unsigned flags = (unsigned)tc_magic_big(s, 5, 1);
    size_t size = 0;
    const char *frame;

    if (!tc_str_starts(s, TC_STR("ID3")))
        return mpeg_frame(m, 0);
    if (s.n < 10)
        return NULL;
    for (size_t i = 6; i < 10; i++)
        size = size << 7 | ((unsigned char)s.p[i] & 0x7f);
    frame = mpeg_frame(m, size + 10);
    if (!frame)
        m->type = "application/octet-stream";
    return tc_arena_printf(m->c->arena, "Audio file with ID3 version 2.%d.%d%s%s%s%s%s%s", s.p[3], s.p[4],
                           flags & 0x80 ? ", unsynchronized frames" : "", flags & 0x40 ? ", extended header" : "",
                           flags & 0x20 ? ", experimental" : "", flags & 0x10 ? ", footer present" : "",
                           frame ? ", contains: " : "", frame ? frame : "").p;
}

/* --- FLAC --- */

const char *tc_magic_flac(struct tc_magic *m)
{
    static const struct name widths[] = {{4, ", 4 bit"}, {6, ", 6 bit"}, {8, ", 8 bit"}, {12, ", 12 bit"},
                                         {16, ", 16 bit"}, {24, ", 24 bit"}};
    static const struct name rates[] = {
        {11025, ", 11.025 kHz"}, {16000, ", 16 kHz"}, {22050, ", 22.05 kHz"}, {24000, ", 24 kHz"}, {32000, ", 32 kHz"},
        {44100, ", 44.1 kHz"}, {48000, ", 48 kHz"}, {64000, ", 64 kHz"}, {88200, ", 88.2 kHz"}, {96000, ", 96 kHz"},
        {176400, ", 176.4 kHz"}, {192000, ", 192 kHz"}, {352800, ", 352.8 kHz"}, {384000, ", 384 kHz"}};
    uint64_t word = tc_magic_big(m->head, 18, 8), samples = word & 0xfffffffff;
    unsigned channels = (unsigned)(word >> 41 & 7) + 1;
    const char *sides = channels == 1   ? "mono"
                        : channels == 2 ? "stereo"
                                        : tc_arena_printf(m->c->arena, "%u channels", channels).p;
    const char *length = samples == 0     ? "length unknown"
                         : samples >> 32 ? ">4G samples"
                                          : tc_arena_printf(m->c->arena, "%u samples", (unsigned)samples).p;

    if (m->head.n < 26 || (m->head.p[4] & 0x7f))
        return "FLAC audio bitstream data";
    return tc_arena_printf(m->c->arena, "FLAC audio bitstream data%s, %s%s, %s",
                           NAME_OF(widths, (unsigned)(word >> 36 & 31) + 1), sides ? sides : "",
                           NAME_OF(rates, (unsigned)(word >> 44)), length ? length : "").p;
}

/* --- Ogg --- */

/* Which release of the library wrote it, by its date. */
static const char *vorbis_maker(struct tc_magic *m)
{
    static const struct name releases[] = {
        {20020717, " (1.0)"}, {20030909, " (1.0.1)"}, {20040629, " (1.1.0 RC1)"}, {20050304, " (1.1.2)"},
        {20070622, " (1.2.0)"}, {20090624, " (1.2.2)"}, {20090709, " (1.2.3)"}, {20100325, " (1.3.1)"},
        {20101101, " (1.3.2)"}, {20120203, " (1.3.3)"}, {20140122, " (1.3.4)"}, {20150105, " (1.3.5)"}};
    static const struct tc_str maker = TC_STR_INIT("Xiph.Org libVorbis I");
    struct tc_str vendor = tc_str_from(m->head, 96 + (size_t)tc_magic_little(m->head, 84, 1));
    int64_t date;

    if (!tc_str_starts(vendor, maker))
        return "";
    vendor = tc_str_from(vendor, maker.n + 1);
    vendor.n = vendor.n < 8 ? vendor.n : 8;
    if (!tc_str_int(vendor, &date))
        date = 0;
    return tc_arena_printf(m->c->arena, ", created by: Xiph.Org libVorbis I%s", NAME_OF(releases, (unsigned)date)).p;
}

static const char *vorbis(struct tc_magic *m)
{
    struct tc_str s = m->head, copy;
    unsigned channels = (unsigned)tc_magic_little(s, 39, 1), most = (unsigned)tc_magic_little(s, 44, 4);
    unsigned usual = (unsigned)tc_magic_little(s, 48, 4), least = (unsigned)tc_magic_little(s, 52, 4);
    const char *maker = vorbis_maker(m);
    struct tc_buf text;

    tc_buf_init(&text, 4096);
    tc_buf_cstr(&text, "Ogg data, Vorbis audio");
    if (channels > 2)
        tc_buf_printf(&text, ", %u channels", channels);
    else
        tc_buf_cstr(&text, channels == 1 ? ", mono" : ", stereo");
    tc_buf_printf(&text, ", %u Hz", (unsigned)tc_magic_little(s, 40, 4));
    if (s.n >= 60) {
        tc_buf_char(&text, ',');
        if (least && ~least)
            tc_buf_printf(&text, " <%u", least);
        if (~usual)
            tc_buf_printf(&text, " ~%u", usual);
        if (most && ~most)
            tc_buf_printf(&text, " >%u", most);
        tc_buf_cstr(&text, " bps");
    }
    tc_buf_cstr(&text, maker ? maker : "");
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}

static const char *opus(struct tc_magic *m)
{
    struct tc_str s = m->head;
    unsigned version = (unsigned)tc_magic_little(s, 36, 1), rate = (unsigned)tc_magic_little(s, 40, 4);
    const char *sides = s.p[37] == 1 ? " mono" : s.p[37] == 2 ? " stereo" : "";
    const char *hertz = rate ? tc_arena_printf(m->c->arena, ", %u Hz (Input Sample Rate)", rate).p : "";

    return tc_arena_printf(m->c->arena, "Ogg data, Opus audio, version %u.%u,%s%s", version >> 4, version & 15, sides,
                           hertz ? hertz : "").p;
}

const char *tc_magic_ogg(struct tc_magic *m)
{
    struct tc_str in = tc_str_from(m->head, 28);

    if (tc_str_starts(in, TC_STR("\1vorbis")) && in.n >= 16)
        return vorbis(m);
    if (tc_str_starts(in, TC_STR("OpusHead")) && in.n >= 16)
        return opus(m);
    if (tc_str_starts(in, TC_STR("\x7f" "FLAC")))
        return "Ogg data, FLAC audio";
    if (tc_str_starts(in, TC_STR("Speex   ")))
        return "Ogg data, Speex audio";
    m->type = "video/ogg";
    if (tc_str_starts(in, TC_STR("\x80theora")))
        return "Ogg data, Theora video";
    if (tc_str_starts(in, TC_STR("fishead")))
        return tc_arena_printf(m->c->arena, "Ogg data, Skeleton v%u.%u", (unsigned)tc_magic_little(in, 8, 2),
                               (unsigned)tc_magic_little(in, 10, 2)).p;
    m->type = "application/octet-stream";
    return "Ogg data";
}

/* --- AU and MIDI --- */

const char *tc_magic_au(struct tc_magic *m)
{
    static const struct name codings[] = {
        {1, " 8-bit ISDN mu-law,"}, {2, " 8-bit linear PCM [REF-PCM],"}, {3, " 16-bit linear PCM,"},
        {4, " 24-bit linear PCM,"}, {5, " 32-bit linear PCM,"}, {6, " 32-bit IEEE floating point,"},
        {7, " 64-bit IEEE floating point,"}};
    static const struct name sides[] = {{1, " mono,"}, {2, " stereo,"}, {4, " quad,"}};
    struct tc_str s = m->head;

    if (s.n < 24)
        return NULL;
    return tc_arena_printf(m->c->arena, "Sun/NeXT audio data:%s%s %u Hz",
                           NAME_OF(codings, (unsigned)tc_magic_big(s, 12, 4)),
                           NAME_OF(sides, (unsigned)tc_magic_big(s, 20, 4)), (unsigned)tc_magic_big(s, 16, 4)).p;
}

const char *tc_magic_midi(struct tc_magic *m)
{
    struct tc_str s = m->head;
    unsigned tracks = (unsigned)tc_magic_big(s, 10, 2);

    if (s.n < 14)
        return NULL;
    return tc_arena_printf(m->c->arena, "Standard MIDI data (format %u) using %u track%s at 1/%u",
                           (unsigned)tc_magic_big(s, 8, 2), tracks, tracks == 1 ? "" : "s",
                           (unsigned)tc_magic_big(s, 12, 2) & 0x7fff).p;
}

/* --- ISO's media --- */

const char *tc_magic_media(struct tc_magic *m)
{
    static const struct {
        const char brand[5], *text, *type;
    } rows[] = {
        {"isom", "ISO Media, MP4 Base Media v1 [ISO 14496-12:2003]", "video/mp4"},
        {"iso2", "ISO Media, MP4 Base Media v2 [ISO 14496-12:2005]", "video/mp4"},
        {"iso4", "ISO Media, MP4 Base Media v4", "video/mp4"},
        {"iso5", "ISO Media, MP4 Base Media v5 ", "video/mp4"},
        {"iso6", "ISO Media, MP4 Base Media v6 ", "video/mp4"},
        {"avc1", "ISO Media, MPEG v4 system, 3GPP JVT AVC [ISO 14496-12:2005]", "video/mp4"},
        {"mp41", "ISO Media, MP4 v1 [ISO 14496-1:ch13]", "video/mp4"},
        {"mp42", "ISO Media, MP4 v2 [ISO 14496-14]", "video/mp4"},
        {"dash", "ISO Media, MPEG v4 system, Dynamic Adaptive Streaming over HTTP", "video/mp4"},
        {"M4A ", "ISO Media, Apple iTunes ALAC/AAC-LC (.M4A) Audio", "audio/x-m4a"},
        {"M4B ", "ISO Media, Apple iTunes ALAC/AAC-LC (.M4B) Audio Book", "audio/mp4"},
        {"M4P ", "ISO Media, Apple iTunes ALAC/AAC-LC (.M4P) AES Protected Audio", "video/mp4"},
        {"M4V ", "ISO Media, Apple iTunes Video (.M4V) Video", "video/x-m4v"},
        {"MSNV", "ISO Media, MPEG-4 (.MP4) for SonyPSP", "audio/mp4"},
        {"NDSH", "ISO Media, MPEG-4 (.MP4) Nero HDTV Profile", "video/mp4"},
        {"qt  ", "ISO Media, Apple QuickTime movie, Apple QuickTime (.MOV/QT)", "video/quicktime"},
        {"3g2a", "ISO Media, MPEG v4 system, 3GPP2 C.S0050-0 V1.0", "video/3gpp2"},
        {"3gp4", "ISO Media, MPEG v4 system, 3GPP", "video/3gpp"},
        {"3gp5", "ISO Media, MPEG v4 system, 3GPP", "video/3gpp"},
        {"3gp6", "ISO Media, MPEG v4 system, 3GPP", "video/3gpp"},
        {"3ge6", "ISO Media, MPEG v4 system, 3GPP", "video/3gpp"},
        {"3gg6", "ISO Media, MPEG v4 system, 3GPP", "video/3gpp"},
        {"avif", "ISO Media, AVIF Image", "image/avif"},
        {"avis", "ISO Media, AVIF Image Sequence", "image/avif"},
        {"heic", "ISO Media, HEIF Image HEVC Main or Main Still Picture Profile", "image/heic"},
        {"heix", "ISO Media, HEIF Image HEVC Main 10 Profile", "image/heic"},
        {"hevc", "ISO Media, HEIF Image Sequenz HEVC Main or Main Still Picture Profile", "image/heic-sequence"},
        {"mif1", "ISO Media, HEIF Image", "image/heif"},
        {"msf1", "ISO Media, HEIF Image Sequence", "image/heif-sequence"},
        {"jp2 ", "ISO Media, JPEG 2000", "image/jp2"},
        {"mj2s", "ISO Media, Motion JPEG 2000 [ISO 15444-3] Simple Profile", "video/mj2"},
        {"cmfc", "ISO Media, CMAF Track Format", "application/octet-stream"},
        {"piff", "ISO Media, Protected Interoperable File Format", "application/octet-stream"}};
    struct tc_str brand = tc_str_from(m->head, 8);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tc_str_starts(brand, tc_str_n(rows[i].brand, 4))) {
            m->type = rows[i].type;
            return rows[i].text;
        }
    m->type = "application/octet-stream";
    return "ISO Media";
}
