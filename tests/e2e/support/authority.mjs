// A certificate authority of a test's own, made by openssl in the test's folder.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './daemon.mjs';

async function openssl(...args) {
    const { code, stderr } = await run(['openssl', ...args]);
    assert.equal(code, 0, `openssl ${args[0]}: ${stderr}`);
}

export class Authority {
    constructor(dir, name) {
        this.dir = dir;
        this.name = name;
        this.file = join(dir, `${name}.pem`); // what is to be trusted
        this.key = join(dir, `${name}.key`);
        this.serial = 0;
    }
    async make() {
        await openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
            '-subj', `/CN=${this.name}`, '-keyout', this.key, '-out', this.file);
        return this;
    }
    /** {key, cert} of a server. names: "IP:127.0.0.1", "DNS:…"; days may be negative. */
    async issue(names, days = 2) {
        const at = join(this.dir, `${this.name}-${++this.serial}`), extensions = `${at}.ext`;
        writeFileSync(extensions, `subjectAltName=${names}\n`);
        await openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=server',
            '-keyout', `${at}.key`, '-out', `${at}.csr`);
        await openssl('x509', '-req', '-in', `${at}.csr`, '-CA', this.file, '-CAkey', this.key, '-CAcreateserial',
            '-days', String(days), '-extfile', extensions, '-out', `${at}.pem`);
        return { key: readFileSync(`${at}.key`), cert: readFileSync(`${at}.pem`) };
    }
}
