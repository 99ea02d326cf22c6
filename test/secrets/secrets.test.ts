// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { createDevnode } from '../../src/devnode/index.js'
import { ChainError } from '../../src/errors/chain-error.js'
import { fromHex } from '../../src/model/hex.js'
import { ADDRESS, KEY, PASSPHRASE, MNEMONIC, secretsIn } from './canary.js'
import { createRecordedTabs, recordPort } from './recorded-tabs.js'
import { createRecorder, type Channel, type Recorder } from './recorder.js'
import { runSession } from './session.js'
import { readRefs } from './inspect-value.js'

/** One UTXO for each payment of the session. */
const UTXOS = Array.from({ length: 12 }, () => ({ address: ADDRESS, amount: 2_000_000_000n }))

describe('a private key, a mnemonic and a passphrase', () => {
  let recorder: Recorder

  beforeAll(async () => {
    recorder = createRecorder()
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1, utxos: UTXOS })
    await recorder.recordConsole(() => runSession(devnode, recorder))
    await devnode.close()
  })

  it('do not occur in the output of a full session', () => {
    expect(recorder.found()).toEqual([])
  })

  it.each<[Channel, number]>([
    ['error', 30],
    ['result', 12],
    ['ref', 30],
    ['socket', 20],
    ['recording', 60],
    ['devtools', 30],
    ['database', 5],
    ['port', 60],
    ['broadcast', 1],
    ['storage', 1],
  ])('are searched for in enough records: %s', (channel, least) => {
    expect(recorder.count(channel)).toBeGreaterThanOrEqual(least)
  })
})

describe('the search for secrets finds a planted leak', () => {
  const cause = Object.assign(new Error('inner cause'), { details: { tried: [MNEMONIC.split(' ')] } })
  const LEAKS: readonly [string, string, (recorder: Recorder) => unknown][] = [
    ['in a logged line', 'the key (logger)', ({ logger }) => logger.debug(`signed with ${KEY}`)],
    ['in the fields of a logged line', 'the passphrase (logger)', ({ logger }) => logger.warn('no', { PASSPHRASE })],
    [
      'on the console, in capitals',
      'the key (console)',
      (recorder) =>
        recorder.recordConsole(() => {
          console.error(KEY.toUpperCase())
          return Promise.resolve()
        }),
    ],
    [
      'in the cause of an error’s cause',
      'the mnemonic (error)',
      ({ record }) => record('error', new ChainError('a', { cause: new ChainError('b', { cause }) })),
    ],
    ['in a stack', 'the mnemonic (error)', ({ record }) => record('error', new Error(`${MNEMONIC} is wrong`))],
    [
      'in a hidden field',
      'the key (result)',
      ({ record }) => record('result', Object.defineProperty({}, 'key', { value: fromHex(KEY) })),
    ],
    [
      'in a ref within a composable',
      'the mnemonic (ref)',
      ({ record }) => readRefs({ inner: { phrase: shallowRef([MNEMONIC]) } }).forEach((value) => record('ref', value)),
    ],
    [
      'in a recording',
      'the key (recording)',
      ({ record }) => record('recording', JSON.stringify({ records: [{ type: 'call', method: KEY }] })),
    ],
    ['in storage', 'the key (storage)', ({ platform }) => platform.storage?.set('wallet', JSON.stringify({ KEY }))],
    [
      'in a record of a database',
      'the passphrase (database)',
      async (recorder) => {
        const request = createRecordedTabs(recorder).platform.tabs!.databases.open('a')
        request.onupgradeneeded = () => request.result.createObjectStore('rows')
        const database = await new Promise<IDBDatabase>((resolve) => {
          request.addEventListener('success', () => resolve(request.result))
        })
        const bytes = new TextEncoder().encode(PASSPHRASE)
        database.transaction('rows', 'readwrite').objectStore('rows').put(bytes, 'key')
      },
    ],
    [
      'in a message to the shared worker',
      'the key (port)',
      (recorder) => {
        const port = { post: () => undefined, receive: () => undefined, close: () => undefined }
        recordPort(port, recorder).post({ type: KEY } as never)
      },
    ],
    ['in a frame', 'the key (socket)', ({ record }) => record('socket', Uint8Array.of(1, 2, ...fromHex(KEY), 3))],
    [
      'in the body of a request',
      'the passphrase (http)',
      ({ platform }) => platform.fetch('data:,', { method: 'POST', body: PASSPHRASE }).catch(String),
    ],
  ]

  it.each(LEAKS)('%s', async (_, name, leak) => {
    const recorder = createRecorder()
    await leak(recorder)
    expect(recorder.found()).toEqual([name])
  })

  it('in base64 and in a part of the mnemonic', () => {
    expect(secretsIn(Buffer.from(fromHex(KEY)).toString('base64'))).toEqual(['the key'])
    expect(secretsIn(JSON.stringify(MNEMONIC.split(' ').slice(4, 9)))).toEqual(['the mnemonic'])
    expect(secretsIn('lesson in a century, to gain')).toEqual([])
  })
})
