import { isHex, toHex } from '../model/hex.js'
import { isPskb } from '../model/pskb-text.js'
import { unreadableResult, isNodeUnreachable } from './to-wallet-error.js'
import { isProvider } from './provider.js'
import { concatMap, firstValueFrom, from, last, takeWhile, timer } from 'rxjs'
import { ChainWalletError } from '../errors/wallet-error.js'
import { isAddressOnNetwork } from '../model/network-of-address.js'
import type { WalletSnapshot, WalletAccount, ReportedBalance } from './port.js'
import { type WalletEnvironment, withVisibleTimeout } from './environment.js'
import { decodeAddress, isValidAddress } from '../model/address.js'

/** A parser that throws an `unreadableResult` error where `read` returns undefined. */
const parseWith =
  (operation: string, read: (result: unknown) => string | undefined) =>
  (result: unknown): string => {
    const value = read(result)
    if (value === undefined) throw unreadableResult(operation, result)
    return value
  }

export const toTransactionId = /*#__PURE__*/ parseWith('sendKaspa', readTransactionId)

export const toSignature = /*#__PURE__*/ parseWith('signMessage', readSignature)

export const toTransactionJson = /*#__PURE__*/ parseWith('signPskt', readTransactionJson)

/** Signatures, or a whole bundle: `PSKB` and hex. */
export const toPskb = /*#__PURE__*/ parseWith('signPskb', (result) =>
  typeof result === 'string' && isPskb(result.trim()) ? result.trim() : undefined,
)

/** The fields in which wallets return the id. */
const FIELDS = ['id', 'txid', 'txId', 'transactionId']

/** The id in a payment's result: an id, a transaction, or JSON of either. Undefined if there is none. */
export function readTransactionId(result: unknown): string | undefined {
  if (typeof result === 'string') return readText(result.trim())
  if (!isProvider(result)) return undefined
  return FIELDS.map((field) => toId(result[field])).find((id) => id !== undefined)
}

const readText = (text: string): string | undefined => toId(text) ?? readJson(text)

function toId(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : undefined
  return isHex(id, 32) ? id : undefined
}

function readJson(text: string): string | undefined {
  if (!/^[{"]/.test(text)) return undefined
  try {
    return readTransactionId(JSON.parse(text))
  } catch {
    return undefined // not valid JSON
  }
}

/** A signed transaction as JSON, from JSON or an object. Undefined if it is neither. */
function readTransactionJson(result: unknown): string | undefined {
  if (typeof result === 'string') return result.trim().startsWith('{') ? result : undefined
  return typeof result === 'object' && result !== null ? JSON.stringify(result) : undefined
}

/** A Schnorr signature in hex, from hex or base64. Undefined if invalid. */
export function readSignature(result: unknown): string | undefined {
  if (typeof result !== 'string') return undefined
  const hex = result.trim().toLowerCase()
  return isHex(hex, 64) ? hex : fromBase64(result.trim())
}

function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return undefined // 64 bytes
  return toHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}

/**
 * Reads a wallet with a timeout and retries an inconsistent snapshot. A wallet that rejects the site as not permitted
 * is `disconnected-by-wallet`; one with an unreachable node rejects.
 */
export const readSnapshot = (
  read: () => Promise<WalletSnapshot>,
  environment: WalletEnvironment,
): Promise<WalletSnapshot> =>
  retryUntilConsistent(() => withVisibleTimeout(environment, 'connect', () => readOrDisconnected(read)), environment)

async function readOrDisconnected(read: () => Promise<WalletSnapshot>): Promise<WalletSnapshot> {
  try {
    return await read()
  } catch (error) {
    const isNotPermitted =
      error instanceof ChainWalletError && error.code === 'not-connected' && !isNodeUnreachable(error)
    if (isNotPermitted) return { status: 'disconnected-by-wallet' }
    throw error
  }
}

/** Delays in ms between reads of a snapshot whose address does not match its network. */
const DELAYS: readonly number[] = /*#__PURE__*/ Array.from({ length: 11 }, (_, at) => (at === 0 ? 0 : 200))

/**
 * A consistent snapshot: after a switch a wallet can report the new network with the old address. The last one if it
 * stays inconsistent.
 */
function retryUntilConsistent(
  read: () => Promise<WalletSnapshot>,
  { platform }: WalletEnvironment,
): Promise<WalletSnapshot> {
  const reads$ = from(DELAYS).pipe(
    concatMap((delay) => (delay === 0 ? read() : timer(delay, platform.scheduler).pipe(concatMap(read)))),
    takeWhile(isInconsistent, true),
    last(),
  )
  return firstValueFrom(reads$)
}

const isInconsistent = (snapshot: WalletSnapshot): boolean =>
  snapshot.status === 'open' && !isAddressOnNetwork(snapshot.account.address, snapshot.account.network)

/** The account of an open wallet. Throws `not-connected` if the wallet exposes none after the user's approval. */
export function requireAccount(snapshot: WalletSnapshot): WalletAccount {
  if (snapshot.status !== 'open') throw noAccountError()
  return snapshot.account
}

/** The user approved, but the wallet exposes no account. */
export const noAccountError = (): ChainWalletError =>
  new ChainWalletError('connect', new Error('The wallet approved the connection but exposes no account'), {
    code: 'not-connected',
    hint: 'Select an account in the wallet, then call connect() again.',
  })

/** The selected address, from a list of at most one. */
export function firstAccount(accounts: unknown): string | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && first !== '' ? first : null
}

/**
 * A public key in lower-case hex: compressed (33 bytes), or x-only (32) as the wallet returned it. Compresses the
 * uncompressed key of a hardware wallet. Null if invalid.
 */
export function readPublicKey(result: unknown): string | null {
  const key = typeof result === 'string' ? result.toLowerCase() : null
  if (isHex(key, 65) && key.startsWith('04')) return compress(key)
  return isHex(key, 33) || isHex(key, 32) ? key : null
}

/** The x coordinate with the parity of y. */
const compress = (key: string): string => (parseInt(key.slice(-1), 16) % 2 === 0 ? '02' : '03') + key.slice(2, 66)

/**
 * The public key of an address, compressed, hex, for wallets that return none. A Schnorr address has no parity; BIP-340
 * uses the even one. Null for a script address.
 */
export function keyOfAddress(address: string): string | null {
  if (!isValidAddress(address)) return null
  const { version, payload } = decodeAddress(address)
  if (version === 'ScriptHash') return null
  return version === 'PubKey' ? `02${toHex(payload)}` : toHex(payload)
}

/**
 * A balance in sompi, from numbers or strings. Compatible wallets report the parts without their sum, or the sum alone.
 * Null if neither is complete, or a figure is not an integer.
 */
export function readBalance(result: unknown): ReportedBalance | null {
  if (!isProvider(result)) return null
  const given = [result.confirmed, result.unconfirmed, result.total].filter((figure) => figure !== undefined)
  if (given.some((figure) => toSompi(figure) === undefined)) return null
  const [confirmed, unconfirmed, total] = [result.confirmed, result.unconfirmed, result.total].map(toSompi)
  if (confirmed !== undefined && unconfirmed !== undefined)
    return { confirmed, unconfirmed, total: total ?? confirmed + unconfirmed }
  return total === undefined ? null : { total }
}

/** A balance of one figure, as Kastle reports it. Null if it is not an integer. */
export function readTotal(result: unknown): { readonly total: bigint } | null {
  const total = isProvider(result) ? toSompi(result.balance) : undefined
  return total === undefined ? null : { total }
}

const toSompi = (figure: unknown): bigint | undefined =>
  /^-?\d+$/.test(String(figure)) ? BigInt(String(figure)) : undefined
