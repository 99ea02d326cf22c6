// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { createDevnode } from '../../src/devnode/index.js'
import { ChainError } from '../../src/errors/chain-error.js'
import { fromHex } from '../../src/model/hex.js'
import { ADDRESS, KEY, PASSPHRASE, PHRASE, secretsIn } from './canary.js'
import { createRecorder, type Channel, type Recorder } from './recorder.js'
import { live } from './session.js'
import { readRefs } from './told.js'

/** Enough coins for every payment of the session to have one of its own. */
const COINS = Array.from({ length: 12 }, () => ({ address: ADDRESS, amount: 2_000_000_000n }))

describe('a key, a phrase and a passphrase', () => {
  let recorder: Recorder

  beforeAll(async () => {
    recorder = createRecorder()
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1, coins: COINS })
    await recorder.watchConsole(() => live(devnode, recorder))
    await devnode.close()
  }, 60_000)

  it('stay out of all that a full session puts out', () => {
    expect(recorder.found()).toEqual([])
  })

  it.each<[Channel, number]>([
    ['error', 30],
    ['result', 12],
    ['ref', 30],
    ['socket', 20],
  ])('were looked for in no little: %s', (channel, least) => {
    expect(recorder.heard(channel)).toBeGreaterThanOrEqual(least)
  })
})

describe('a planted leak is found', () => {
  const cause = Object.assign(new Error('deep down'), { details: { tried: [PHRASE.split(' ')] } })
  const LEAKS: readonly [string, string, (recorder: Recorder) => unknown][] = [
    ['in a logged line', 'the key (logger)', ({ logger }) => logger.debug(`signed with ${KEY}`)],
    ['in the fields of a logged line', 'the passphrase (logger)', ({ logger }) => logger.warn('no', { PASSPHRASE })],
    [
      'on the console, in capitals',
      'the key (console)',
      (recorder) =>
        recorder.watchConsole(() => {
          console.error(KEY.toUpperCase())
          return Promise.resolve()
        }),
    ],
    [
      'in the cause of an error’s cause',
      'the phrase (error)',
      ({ take }) => take('error', new ChainError('a', { cause: new ChainError('b', { cause }) })),
    ],
    ['in a stack', 'the phrase (error)', ({ take }) => take('error', new Error(`${PHRASE} is wrong`))],
    [
      'in a hidden field',
      'the key (result)',
      ({ take }) => take('result', Object.defineProperty({}, 'key', { value: fromHex(KEY) })),
    ],
    [
      'in a ref within a composable',
      'the phrase (ref)',
      ({ take }) => readRefs({ inner: { phrase: shallowRef([PHRASE]) } }).forEach((value) => take('ref', value)),
    ],
    ['in storage', 'the key (storage)', ({ platform }) => platform.storage?.set('wallet', JSON.stringify({ KEY }))],
    ['in a frame', 'the key (socket)', ({ take }) => take('socket', Uint8Array.of(1, 2, ...fromHex(KEY), 3))],
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

  it('whatever the form', () => {
    expect(secretsIn(Buffer.from(fromHex(KEY)).toString('base64'))).toEqual(['the key'])
    expect(secretsIn(JSON.stringify(PHRASE.split(' ').slice(4, 9)))).toEqual(['the phrase'])
    expect(secretsIn('lesson in a century, to gain')).toEqual([])
  })
})
