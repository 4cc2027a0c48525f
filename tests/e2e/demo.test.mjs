// The round of make demo that needs neither key nor network.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from './support/daemon.mjs';
import { toolcrib } from './support/peers.mjs';

const demo = join(dirname(fileURLToPath(import.meta.url)), '../../scripts/demo');

test('make demo: a wrong call mended, a long result, an approval, and the record of it all', async () => {
    const { code, stdout, stderr } = await run([demo, 'agent'], { env: { TOOLCRIB: toolcrib, AI_MODEL: 'none', AI_API_KEY: 'none', http_proxy: 'http://127.0.0.1:1' } });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(stderr, '');
    const story = ['"id": "clerk"', 'agent_tool_disabled', 'dice_roll: failed with tool.invalid_arguments', 'dice_roll: done in', 'workspace_write_file waits for an operator',
        '# Meanwhile', 'approval answer', '# The run goes on', 'workspace_write_file: done in', 'It is written: Created dice.md', '# A hundred dice', '# Its journal', 'question_asked', 'run_ended',
        'This result is long', '# The requests', '5     10     same', '# Each call', 'builtin:dice.roll', '# What next?', 'demo: done'];
    let from = 0;
    for (const text of story) {
        const at = stdout.indexOf(text, from);
        assert.ok(at >= 0, `${text} is not said, or not there:\n${stdout}`);
        from = at + text.length;
    }
});
