import { expect, it } from 'vitest'
import { compact } from '../../scripts/dist-layout.mjs'

it('breaks no text into lines: bundlers read the file of a worker from it', () => {
  for (let length = 100; length < 170; length++) {
    const code = `${'a'.repeat(length)}(new URL('./shared-worker.js', import.meta.url))`
    expect(compact('chunk.js', code)).toContain('"./shared-worker.js"')
  }
})
