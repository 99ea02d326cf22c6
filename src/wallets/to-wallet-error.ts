import {
  ChainWalletError,
  type ChainWalletErrorCode,
  type ChainWalletErrorOptions,
  isPaying,
  unknownOutcome,
} from '../errors/wallet-error.js'
import type { RejectReason } from '../errors/rpc-error.js'
import { parseReply } from '../model/submission-reply.js'

/** Maps a wallet's rejection by code or message to an error code. The first match applies. */
interface Rule {
  readonly code: ChainWalletErrorCode
  /** The operation that it is a rejection of. @default any */
  readonly operation?: string
  readonly codes?: readonly number[]
  readonly names?: readonly string[]
  readonly pattern?: RegExp
  readonly hint: string
}

const CREATE_ACCOUNT = 'Create an account in the wallet first.'
const RECONNECT = 'Call connect() again: the wallet has not permitted this site or the selected account.'

/** EIP-1193 codes: disconnected from all nodes, or from those of the network. */
const NODE_UNREACHABLE = [4900, 4901]

/**
 * Rejections before anything is sent. Messages are those of KasWare and Kastle, codes those of KasWare and of the
 * EIP-1193 drafts, matched at the beginning: a failure after the submission can quote them.
 */
const REFUSALS: readonly Rule[] = [
  {
    code: 'not-connected',
    pattern: /^(wallet must has at least one account|extension is not initialized|(error: )?no account found)/i,
    hint: CREATE_ACCOUNT,
  },
  {
    code: 'rejected',
    codes: [4001],
    pattern: /^(error( happens while connecting)?: )?(the )?user (denied|rejected|cancel)/i,
    hint: 'The user rejected the request.',
  },
  {
    code: 'unsupported',
    operation: 'signPskb',
    codes: [4100], // KCC-12: where no single signature of the account satisfies a script
    hint: 'The wallet signs no input that needs signatures of several keys, or the site is not permitted. Sign with a mnemonic, private keys or a signer: `proposal.signAsync`.',
  },
  { code: 'not-connected', codes: [4100], pattern: /^host not connected/i, hint: RECONNECT },
  { code: 'locked', pattern: /^(the )?(wallet|extension) is locked/i, hint: 'Unlock the wallet, then try again.' },
  { code: 'busy', codes: [-32002], hint: "Approve or reject the request in the wallet's window first." },
  { code: 'unsupported', codes: [4200, -32601], hint: 'The wallet has no such method. Use another wallet for it.' },
  { code: 'wrong-network', codes: [4902], hint: 'Select the network in the wallet.' },
  {
    code: 'wrong-network',
    pattern: /^invalid toaddress/i,
    hint: "Pay to an address of the wallet's network, or select another network in the wallet.",
  },
  {
    code: 'invalid-argument',
    codes: [-32602],
    names: ['ZodError'], // validated in the page
    pattern: /^invalid (payload|inputs|transaction data|message data)\b/i,
    hint: 'The wallet rejected the arguments; see `cause`.',
  },
  {
    code: 'failed',
    pattern: /^(failed to send kaspa: )?(error: )?(insufficient funds|no utxos)/i,
    hint: "The account's balance is insufficient.",
  },
  {
    code: 'failed',
    pattern: /^failed to create transaction/i,
    hint: 'The wallet could not create the transaction. Nothing was sent.',
  },
  {
    code: 'failed',
    codes: [4300],
    hint: "Compound the wallet's UTXOs first, in Kastle by request('compoundUtxos', [{}]): the amount requires too many inputs.",
  },
  {
    code: 'not-sent',
    codes: [-32005],
    hint: 'Reload the page: the wallet has too many calls that it has not responded to. Nothing was sent.',
  },
  {
    code: 'not-sent',
    pattern: /^extension context invalidated/i,
    hint: 'Reload the page: the wallet was updated or removed. Nothing was sent.',
  },
]

/** Failures that may also follow the submission of a payment. */
const FAILURES: readonly Rule[] = [
  {
    code: 'not-connected',
    codes: NODE_UNREACHABLE,
    hint: 'The wallet is disconnected from its node. Retry after it has reconnected.',
  },
  { code: 'timeout', pattern: /^timeout$/i, hint: 'Reload the page: the wallet does not respond.' },
]

/** A node's rejection of a transaction, as wallets pass it on: with its introduction, or the rule's text only. */
const NODE_REJECTION = /\brejected transaction [0-9a-f]{16}|under the required amount of|false stack entry/i

/**
 * The error for a wallet's rejection. A call that may move money ends in `unknown-outcome` unless the rejection proves
 * that nothing was sent: KasWare hides every error of its SDK behind "Internal JSON-RPC error.".
 */
export function toWalletError(operation: string, cause: unknown): ChainWalletError {
  if (cause instanceof ChainWalletError) return cause
  const refusal = (isPaying(operation) ? toNodeRejection(cause) : undefined) ?? findRule(REFUSALS, operation, cause)
  if (refusal === undefined && isPaying(operation)) return unknownOutcome(operation, cause)
  return new ChainWalletError(operation, cause, refusal ?? findRule(FAILURES, operation, cause) ?? { code: 'failed' })
}

function toNodeRejection(cause: unknown): ChainWalletErrorOptions | undefined {
  const message = messagesOf(cause).find((text) => NODE_REJECTION.test(text))
  if (message === undefined) return undefined
  const { reason } = parseReply(message)
  if (reason === 'duplicate') return undefined // the network has the transaction, by the wallet's earlier attempt
  const remedy = REMEDIES[reason] ?? 'Its words are in `details`.'
  const hint = `The wallet's node rejected the transaction; another node may have it. Look at the transactions of the paying address first. ${remedy}`
  return { code: 'rejected-by-node', reason, hint }
}

/** What a payer can do about a rejection. */
const REMEDIES: Readonly<Partial<Record<RejectReason, string>>> = {
  'fee-too-low': 'Pay more: give a higher `priorityFee`.',
  'double-spend': 'Wait for the pending payment that spends the same UTXO.',
  'immature-coinbase': 'Wait until the mining rewards are mature.',
  'mass-exceeded': "Compound the wallet's UTXOs first; pay several recipients by several payments.",
  orphan: 'Retry once the wallet has updated its UTXOs.',
}

/** Whether a wallet failed because its node is unreachable. That does not affect its accounts. */
export const isNodeUnreachable = (error: unknown): boolean =>
  error instanceof ChainWalletError && NODE_UNREACHABLE.some((code) => code === fieldOf(error.cause, 'code'))

function findRule(rules: readonly Rule[], operation: string, cause: unknown): Rule | undefined {
  const messages = messagesOf(cause)
  const [code, name] = [fieldOf(cause, 'code'), fieldOf(cause, 'name')]
  return rules.find(
    ({ operation: only = operation, codes = [], names = [], pattern }) =>
      only === operation &&
      (codes.some((known) => known === code) ||
        names.some((known) => known === name) ||
        (pattern !== undefined && messages.some((message) => pattern.test(message)))),
  )
}

/** A result that cannot be parsed; it is the `cause`. For a payment the outcome is unknown. */
export function unreadableResult(operation: string, result: unknown): ChainWalletError {
  return isPaying(operation)
    ? unknownOutcome(operation, result)
    : new ChainWalletError(operation, result, {
        code: 'failed',
        hint: 'The wallet returned an invalid result; see `cause`.',
      })
}

/** A member of an object from the page. Undefined if the access throws. */
export function memberOf(object: object, name: string): unknown {
  try {
    const member: unknown = Reflect.get(object, name)
    return member
  } catch {
    return undefined // a getter that throws, or a revoked proxy of a removed extension
  }
}

/**
 * The messages of a rejection: its own, then that of the extension's original error, which KasWare's own message can
 * omit.
 */
const messagesOf = (cause: unknown): readonly string[] => [
  toMessage(cause),
  toMessage(fieldOf(fieldOf(cause, 'data'), 'originalError')),
]

function toMessage(value: unknown): string {
  const message = typeof value === 'string' ? value : fieldOf(value, 'message')
  return typeof message === 'string' ? message : ''
}

/** A field of a value of any type; undefined if the value is not an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? memberOf(value, name) : undefined
