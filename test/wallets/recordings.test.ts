import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { KeyOperations } from '../../src/operations/keys/keys.js'
import { toWalletError } from '../../src/wallets/failure.js'
import { readPublicKey } from '../../src/wallets/reading/public-key.js'
import { readSignature } from '../../src/wallets/reading/signature.js'
import { readyKeys } from '../operations/keys/ready.js'
import { PUBLIC_KEY } from './scene.js'

/** What the real extensions were heard to say. */
interface Recorded {
  readonly step: string
  readonly call?: string
  readonly arguments?: unknown
  readonly resolved?: { readonly value?: unknown }
  readonly rejected?: {
    readonly type: string
    readonly value?: unknown
    readonly name?: string
    readonly message?: string
  }
}

function recordingsOf(wallet: 'walletA' | 'walletB'): readonly Recorded[] {
  const file = join(import.meta.dirname, `../fixtures/wallets/${wallet}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly entries: readonly Recorded[] }).entries
}

/** The value with which a recorded call rejected, as the page got it. */
function rejectionOf({ rejected }: Recorded): unknown {
  if (rejected?.type !== 'Error') return rejected?.value
  return Object.assign(new Error(rejected.message), { name: rejected.name ?? 'Error' })
}

describe('messages that the real wallets signed', () => {
  let keys: KeyOperations
  beforeAll(async () => {
    keys = await readyKeys()
  })

  const signed = [...recordingsOf('walletA'), ...recordingsOf('walletB')].flatMap((entry) => {
    const [message] = Array.isArray(entry.arguments) ? (entry.arguments as unknown[]) : []
    const signature = entry.resolved?.value
    const isSigned =
      entry.call?.endsWith('.signMessage') && typeof message === 'string' && typeof signature === 'string'
    return isSigned ? [{ message, signature }] : []
  })

  it('were recorded from both', () => {
    expect(signed.length).toBeGreaterThan(5)
  })

  it.each(signed)('are verified: $message', ({ message, signature }) => {
    const read = readSignature(signature) ?? ''
    const base64 = readSignature(Buffer.from(signature, 'hex').toString('base64')) ?? ''
    const [long, xOnly] = [readPublicKey(PUBLIC_KEY.toUpperCase()), readPublicKey(PUBLIC_KEY.slice(2))]
    for (const key of [long, xOnly]) {
      expect(keys.verifyMessage(message, read, key ?? '')).toBe(true)
      expect(keys.verifyMessage(message, base64, key ?? '')).toBe(true)
    }
  })
})

describe('rejections of the real wallets', () => {
  const rejections = [...recordingsOf('walletA'), ...recordingsOf('walletB')].filter(({ rejected }) => rejected)
  const wordsOf = (entry: Recorded): string => {
    const cause = rejectionOf(entry)
    return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : ''
  }
  /** Each kind by the words that a reader would know it by. */
  const kinds: readonly [string, RegExp][] = [
    ['rejected', /^(User rejected the request\.|User denied)$/],
    ['not-connected', /at least one account|has not been authorized|^Host not connected|is not initialized/],
    ['unsupported', /corresponding handler/],
    ['timeout', /^Timeout$/],
  ]

  it.each(kinds)('are %s where their words are %s', (code, words) => {
    const found = rejections.filter((entry) => words.test(wordsOf(entry)))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map((entry) => toWalletError('signMessage', rejectionOf(entry)).code))).toEqual(
      new Set([code]),
    )
  })

  it('are invalid-argument where the wallet’s own check refused', () => {
    const found = rejections.filter(({ rejected }) => rejected?.name === 'ZodError')
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map((entry) => toWalletError('sendKaspa', rejectionOf(entry)).code))).toEqual(
      new Set(['invalid-argument']),
    )
  })

  it('are the cause, untouched, whatever they are', () => {
    for (const entry of rejections) {
      const cause = rejectionOf(entry)
      const error = toWalletError('connect', cause)
      expect(error.cause).toBe(cause)
      expect(error.message).toBe('Wallet operation "connect" failed')
    }
  })

  it.each([
    [{ code: -32002, message: 'pending' }, 'busy'],
    [{ code: 4200, message: 'no' }, 'unsupported'],
    [{ code: 4900, message: 'gone' }, 'not-connected'],
    [{ code: 4902, message: 'unknown' }, 'wrong-network'],
    [{ code: -32602, message: 'bad' }, 'invalid-argument'],
    [{ code: 4300, message: 'BATCH_REQUIRED' }, 'failed'],
    [{ code: -32603, message: 'anything' }, 'failed'],
    ['a text', 'failed'],
    [undefined, 'failed'],
    [null, 'failed'],
  ])('are told apart by number as well: %j', (cause, code) => {
    expect(toWalletError('signMessage', cause).code).toBe(code)
  })
})

it.each(['Failed to send kaspa: Insufficient funds', 'No UTXOs found for the address', 'no UTXOs'])(
  '"%s" is told with what to do about it',
  (message) => {
    expect(toWalletError('sendKaspa', { code: -32603, message }).hint).toBe('There is too little money in the account.')
  },
)

const NODE = 'Failed to sign and broadcast transaction: Error: RPC Server (remote error) -> '

/** The forms in which wallets hand on words: as an error, as a text, or hidden in an error of their own. */
const formsOf = (words: string): readonly unknown[] => [
  new Error(words),
  words,
  { code: -32603, message: words },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: words } },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { message: words, stack: '' } } },
]

describe('a payment', () => {
  it.each([
    'Timeout',
    'Request timed out',
    `${NODE}WebSocket disconnected`,
    `${NODE}RPC request timeout`,
    `${NODE}RPC: channel receive error`,
    `${NODE}RPC: no data in success response`,
    `${NODE}RPC borsh deserialization error: Unexpected length of input`,
    `${NODE}Rejected transaction 00: transaction 00 is already in the mempool`,
    `${NODE}Rejected transaction 00: transaction 00 was already accepted by the consensus`,
  ])('that ends in "%s" has an unknown outcome, and says what to do', (words) => {
    for (const cause of formsOf(words)) {
      const error = toWalletError('sendKaspa', cause)
      expect(error.code).toBe('unknown-outcome')
      expect(error.hint).toBe('Look for the transaction before paying again: it may have been sent.')
      expect(error.cause).toBe(cause)
    }
  })

  it.each([
    `${NODE}WebSocket -> WebSocket is not connected`,
    `${NODE}Rejected transaction 00: output (11, 0) already spent by transaction 22 in the mempool`,
    'Failed to send kaspa: Insufficient funds',
    'Kaspa RpcApi -> Error: bad argument',
  ])('that ends in "%s" has failed: nothing was sent', (words) => {
    for (const cause of formsOf(words)) expect(toWalletError('sendKaspa', cause).code).toBe('failed')
  })
})

it.each(['User denied', 'Error happens while connecting: User denied', { code: -32603, message: 'The user rejected' }])(
  'is the user’s no where the wallet says %j',
  (cause) => {
    expect(toWalletError('connect', cause).code).toBe('rejected')
  },
)
