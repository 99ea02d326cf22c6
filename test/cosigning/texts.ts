import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import { accountValueOf, type AccountValue } from '../../src/model/cosigning/account-value.js'
import { toHex } from '../../src/model/hex.js'
import type { Pskt } from '../../src/model/pskb/records.js'
import { writeBundle } from '../../src/model/pskb/write-bundle.js'
import { createTransaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createPskt } from '../../src/operations/cosigning/to-pskb.js'

/** Accounts and texts without an engine. */

export const KAS = 100_000_000n
/** Enough for every payment of the tests with one input. */
export const FEE = KAS / 40n

/** Mnemonics of entropy `n n n …`, one for each cosigner. */
export const MNEMONICS = [
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
  'jelly better achieve collect unaware mountain thought cargo oxygen act hood bridge',
] as const

export interface AccountShape {
  readonly threshold: number
  readonly count: number
  readonly ecdsa?: boolean
}

/** Enough of them for 15 cosigners, the most that an account has. */
export const mnemonicsOf = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, at) => MNEMONICS[at] ?? entropyToMnemonic(new Uint8Array(16).fill(at + 1), wordlist),
  )

const roots = new Map<string, HDKey>()

/** The root of a mnemonic; a seed takes a tenth of a second. */
export function rootOf(mnemonic: string): HDKey {
  const root = roots.get(mnemonic) ?? HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic))
  roots.set(mnemonic, root)
  return root
}

/** The keys of an account, and the private keys of its first address. */
export function accountKeys({ threshold, count, ecdsa = false }: AccountShape) {
  const nodes = mnemonicsOf(count).map((mnemonic) => rootOf(mnemonic).derive("m/45'/111111'/0'"))
  const keys = nodes.map(({ publicExtendedKey }) => publicExtendedKey)
  const privateKeys = nodes.map((node) => toHex(node.derive('m/0/0/0').privateKey!))
  return { keys, privateKeys, value: accountValueOf({ threshold, keys, ecdsa }, 'simnet') }
}

export interface Payment {
  readonly entries: readonly UtxoEntry[]
  readonly outputs: readonly { readonly address: string; readonly amount: bigint }[]
  readonly payload?: string
  readonly commits?: boolean
}

/** An unsigned transaction of an account. */
export function toPskt(value: AccountValue, { entries, outputs, payload = '', commits = true }: Payment): Pskt {
  const sequences = commitAmounts(entries)
  const transaction = createTransaction({
    inputs: entries.map(({ outpoint }, at) => ({
      previousOutpoint: outpoint,
      signatureScript: '',
      sequence: commits ? sequences[at]! : 0n,
      sigOpCount: value.cosigners.length,
    })),
    outputs: outputs.map(({ address, amount }) => ({ value: amount, scriptPublicKey: toScriptPublicKey(address) })),
    payload,
  })
  return createPskt(transaction, entries)
}

/** A payment of 3 KAS with change on the own branch of the first cosigner, as text. */
export function payment(
  { value }: { readonly value: AccountValue },
  entries: readonly UtxoEntry[],
  recipient: string,
  options: Partial<Payment> = {},
): Pskt {
  const change = value.addressAt({ cosigner: 0, change: true, index: 0 })
  const left = entries.reduce((sum, { amount }) => sum + amount, 0n) - 3n * KAS - FEE
  const outputs = [
    { address: recipient, amount: 3n * KAS },
    { address: change, amount: left },
  ]
  return toPskt(value, { entries, outputs, ...options })
}

export const toText = (...pskts: readonly Pskt[]): string => writeBundle(pskts)
