import { describe, expect, it } from 'vitest'
import { createChainEngine } from '../../../src/engine/engine.js'
import { createRecorder } from '../../../src/engine/recorder/create-recorder.js'
import type { Recording } from '../../../src/engine/recorder/recording.js'
import { createReplayNode } from '../../../src/testing/replay/create-replay-node.js'

const RECORDING: Recording = {
  format: 'vue-chain-recording',
  version: 1,
  library: '0.1.0',
  exportedAt: '2026-01-01T00:00:00.000Z',
  platform: 'node 20.19.0',
  engines: [
    {
      network: 'simnet',
      encoding: 'Borsh',
      urls: [],
      resolver: null,
      resolvers: null,
      autoConnect: true,
      connectTimeout: 10_000,
      requestTimeout: 60_000,
      maxFrameSize: null,
      reconnect: {},
      heartbeat: null,
      restUrl: null,
      sdk: 'wasm',
      ports: [],
    },
  ],
  dropped: 0,
  records: [],
  frames: { warning: '', droppedSockets: 0, sockets: [], randoms: [] },
}

const text = JSON.stringify(RECORDING)
const damaged = (frames: object): string => JSON.stringify({ ...RECORDING, frames: { ...RECORDING.frames, ...frames } })

describe('a recording', () => {
  it.each([
    ['that was cut short', text.slice(0, -20), 'The recording is not JSON: it was cut short or damaged'],
    ['of another format', '{"format":"har"}', 'This is no recording of vue-chain'],
    ['that is no record', '[]', 'This is no recording of vue-chain'],
    [
      'of a newer version',
      JSON.stringify({ ...RECORDING, version: 2, library: '3.0.0' }),
      'The recording has format 2; this version reads up to 1',
    ],
    ['without records', JSON.stringify({ ...RECORDING, records: null }), 'The recording has no engine or no records'],
    ['without frames', JSON.stringify({ ...RECORDING, frames: undefined }), 'The recording has no frames'],
    [
      'with damaged frames',
      damaged({ sockets: [{ events: [[1, 'sent']] }] }),
      'The frames of the recording are damaged',
    ],
    [
      'with damaged bytes',
      damaged({ sockets: [{ events: [[1, 'received', 'base64', 'AAA']] }] }),
      'The frames of the recording are damaged',
    ],
    [
      'with a time without end',
      text.replace('"sockets":[]', '"sockets":[{"isCut":false,"events":[[1e999,"opened"]]}]'),
      'The frames of the recording are damaged',
    ],
    [
      'with damaged options',
      JSON.stringify({ ...RECORDING, engines: [null] }),
      'The options or the records of the recording are damaged',
    ],
    ['without its first sockets', damaged({ droppedSockets: 3 }), 'The first 3 sockets of the recording are missing'],
  ])('%s is rejected', (_, recording, message) => {
    expect(() => createReplayNode(recording)).toThrow(message)
    expect(() => createReplayNode(recording)).toThrow(
      expect.objectContaining({ code: 'malformed', hint: expect.stringMatching(/./) as string }) as Error,
    )
  })

  it('names the version of the library that can read it', () => {
    const newer = JSON.stringify({ ...RECORDING, version: 2, library: '3.0.0' })
    expect(() => createReplayNode(newer)).toThrow(
      expect.objectContaining({ hint: 'Install vue-chain 3.0.0 or later.' }) as Error,
    )
  })

  it('without sockets is played at once', async () => {
    const recorder = createRecorder({ captureFrames: true })
    const recorded = createChainEngine({ network: 'simnet', recorder })
    const replay = createReplayNode(recorder.export({ frames: true }))
    expect(replay.options).toMatchObject({ network: 'simnet', encoding: 'Borsh' })
    await replay.play()
    await replay.play()
    await recorded.dispose()
  })
})
