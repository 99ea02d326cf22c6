import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { KeyOperations } from '../../src/operations/keys/keys.js'
import { withPaymentOutcome } from '../../src/errors/wallet-error.js'
import { toWalletError } from '../../src/wallets/to-wallet-error.js'
import { readPublicKey, readSignature } from '../../src/wallets/read-snapshot.js'
import { loadKeys } from '../operations/keys/load-keys.js'
import paymentErrors from '../fixtures/wallets/payment-errors.json' with { type: 'json' }
import { PUBLIC_KEY } from './harness.js'

/** A recorded call of a real extension. */
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

/** The rejection of a recorded call, as the page received it. */
function rejectionOf({ rejected }: Recorded): unknown {
  if (rejected?.type !== 'Error') return rejected?.value
  return Object.assign(new Error(rejected.message), { name: rejected.name ?? 'Error' })
}

describe('messages signed by the real wallets', () => {
  let keys: KeyOperations
  beforeAll(async () => {
    keys = await loadKeys()
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
  const messageOf = (entry: Recorded): string => {
    const cause = rejectionOf(entry)
    return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : ''
  }
  /** The message patterns of each error code. */
  const patterns: readonly [string, RegExp][] = [
    ['rejected', /^(User rejected the request\.|User denied)$/],
    ['not-connected', /at least one account|has not been authorized|^Host not connected|is not initialized/],
    ['unsupported', /corresponding handler/],
    ['timeout', /^Timeout$/],
  ]

  it.each(patterns)('are %s for %s', (code, message) => {
    const found = rejections.filter((entry) => message.test(messageOf(entry)))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map((entry) => toWalletError('signMessage', rejectionOf(entry)).code))).toEqual(
      new Set([code]),
    )
  })

  it('are invalid-argument for a ZodError of the wallet', () => {
    const found = rejections.filter(({ rejected }) => rejected?.name === 'ZodError')
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map((entry) => toWalletError('sendKaspa', rejectionOf(entry)).code))).toEqual(
      new Set(['invalid-argument']),
    )
  })

  it('are the unchanged cause of the error', () => {
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
    [{ code: 4900, message: 'disconnected' }, 'not-connected'],
    [{ code: 4902, message: 'unknown' }, 'wrong-network'],
    [{ code: -32602, message: 'bad' }, 'invalid-argument'],
    [{ code: 4300, message: 'BATCH_REQUIRED' }, 'failed'],
    [{ code: -32603, message: 'anything' }, 'failed'],
    ['a text', 'failed'],
    [undefined, 'failed'],
    [null, 'failed'],
  ])('are classified by code, each with a hint: %j', (cause, code) => {
    const error = toWalletError('signMessage', cause)
    expect(error.code).toBe(code)
    expect(error.hint).toBeTruthy()
  })
})

it.each(['Failed to send kaspa: Insufficient funds', 'No UTXOs found for the address', 'no UTXOs'])(
  '"%s" has a hint',
  (message) => {
    expect(toWalletError('sendKaspa', { code: -32603, message }).hint).toBe("The account's balance is insufficient.")
  },
)

const LOOK_AT_ADDRESS =
  "The payment may have been made, and the wallet's window may still be open. Look at the transactions of the paying address before you pay again."

const NODE = 'Failed to sign and broadcast transaction: Error: RPC Server (remote error) -> '

/** The forms of a wallet's rejection: an error, a string, or nested in another error. */
const formsOf = (message: string): readonly unknown[] => [
  new Error(message),
  message,
  { code: -32603, message: message },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: message } },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { message: message, stack: '' } } },
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
    `${NODE}WebSocket -> WebSocket is not connected`,
    `${NODE}Rejected transaction 00: output (11, 0) already spent by transaction 22 in the mempool`,
    'Kaspa RpcApi -> Error: bad argument',
    'Unknown error',
    '',
  ])('that rejects with "%s" has an unknown outcome and a hint', (message) => {
    for (const cause of formsOf(message)) {
      const error = toWalletError('sendKaspa', cause)
      expect(error.code).toBe('unknown-outcome')
      expect(error.hint).toBe(LOOK_AT_ADDRESS)
      expect(error.cause).toBe(cause)
    }
  })

  it.each([
    'Failed to send kaspa: Insufficient funds',
    'No UTXOs found for the address',
    'Failed to create transaction',
  ])('that rejects with "%s" has failed, before anything was sent', (message) => {
    for (const cause of formsOf(message)) expect(toWalletError('sendKaspa', cause).code).toBe('failed')
  })

  it.each([undefined, null, 0, {}, { code: -32603 }, { code: -32000, message: 'x' }, { code: 4900, message: 'x' }])(
    'that rejects with %j has an unknown outcome',
    (cause) => {
      expect(toWalletError('sendKaspa', cause)).toMatchObject({ code: 'unknown-outcome', hint: LOOK_AT_ADDRESS, cause })
    },
  )

  it.each(paymentErrors.entries)('of $wallet is $code: $step', ({ rejected, sent, code }) => {
    const cause = typeof rejected === 'string' ? new Error(rejected) : rejected
    const error = withPaymentOutcome(toWalletError('sendKaspa', cause))
    expect(error.code).toBe(code)
    expect(error.outcome).toBe(sent === false ? 'unsent' : 'unknown')
    expect(error.cause).toBe(cause)
    expect(error.hint).toBeTruthy()
  })
})

it.each([
  'User denied',
  'User rejected the request.',
  'Error: User denied',
  'Error happens while connecting: User denied',
  { code: -32603, message: 'The user rejected' },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: 'User cancelled' } },
])('is a rejection by the user: %j', (cause) => {
  expect(toWalletError('connect', cause).code).toBe('rejected')
})

it.each([
  `${NODE}connection lost after the user denied another request`,
  'Submitted 7d1b9f6a; user rejected the request to add it to the activity',
  'Failed to save the transaction: user denied storage',
])('is no rejection by the user where the words are quoted, so that the payment may have been made: %j', (message) => {
  for (const cause of formsOf(message)) expect(toWalletError('sendKaspa', cause).code).toBe('unknown-outcome')
})
