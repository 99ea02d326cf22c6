import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createCosigning, type Cosigning, type Proposal } from '../../src/cosigning/index.js'
import { createMemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { toHex } from '../../src/model/hex.js'
import { accountValueOf, type AccountValue } from '../../src/model/cosigning/account-value.js'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import type { Pskt } from '../../src/model/pskb/records.js'
import { writeBundle } from '../../src/model/pskb/write-bundle.js'
import { createTransaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createPskt } from '../../src/operations/cosigning/new-pskt.js'
import { light } from '../../src/sdk/light/light.js'

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

/** An account on a network in memory, with UTXOs of 10 KAS at its first address, and an engine for each cosigner. */
export interface CosigningHarness {
  /** Has what was submitted accepted. */
  readonly mine: () => Promise<void>
  readonly cosigners: readonly Cosigner[]
  readonly value: AccountValue
  /** Some UTXOs that no other payment gets. */
  readonly funds: (count?: number) => readonly UtxoEntry[]
  readonly close: () => Promise<void>
}

export interface Cosigner {
  readonly engine: ChainEngine
  readonly cosigning: Cosigning
  readonly account: Awaited<ReturnType<Cosigning['accountOf']>>
  readonly mnemonic: string
  /** Of the first address. */
  readonly privateKeys: readonly string[]
  /** The proposal of a text. */
  readonly open: (text: string, options?: Partial<Parameters<Cosigning['fromPskb']>[1]>) => Promise<Proposal>
}

/** A network of simnet with UTXOs of 10 KAS at an address. */
export interface CosigningNetwork {
  readonly engineOptions: ChainEngineOptions
  readonly mine: () => Promise<void>
  readonly entries: () => Promise<readonly UtxoEntry[]>
  readonly close: () => Promise<void>
}

export type OpenNetwork = (address: string, count: number) => Promise<CosigningNetwork>

/** A network in memory. */
export const openMemoryNetwork: OpenNetwork = async (address, count) => {
  const utxos = Array.from({ length: count }, () => ({ address, amount: 10n * KAS }))
  const devnode = createMemoryDevnode({ blockInterval: 0, utxos })
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  await engine.connection.connect()
  return {
    engineOptions: devnode.engineOptions,
    mine: async () => void (await devnode.mine(2)),
    entries: () => engine.rpc.getUtxosByAddresses([address]),
    close: async () => {
      await engine.dispose()
      await devnode.close()
    },
  }
}

export interface AccountShape {
  readonly threshold: number
  readonly count: number
  readonly ecdsa?: boolean
}

/** Enough of them for 15 cosigners, the most that an account has. */
const mnemonicsOf = (count: number): readonly string[] =>
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

export async function openCosigners(
  { threshold, count, ecdsa = false }: AccountShape,
  utxos: number,
  openNetwork: OpenNetwork,
): Promise<CosigningHarness> {
  const { keys, privateKeys: all, value } = accountKeys({ threshold, count, ecdsa })
  const address = value.addressAt({ cosigner: 0, change: false, index: 0 })
  const network = await openNetwork(address, utxos)
  const cosigners = await Promise.all(
    mnemonicsOf(count).map(async (mnemonic, at): Promise<Cosigner> => {
      const engine = createChainEngine({ ...network.engineOptions, sdk: light })
      await engine.connection.connect()
      await engine.wasm.init()
      const cosigning = createCosigning({ engine })
      const account = await cosigning.accountOf({ threshold, keys, own: keys[at], ecdsa })
      const open: Cosigner['open'] = (text, options) => cosigning.fromPskb(text, { account, ...options })
      const privateKeys = [all[at]!]
      return { engine, cosigning, account, mnemonic, privateKeys, open }
    }),
  )
  const entries = [...(await network.entries())]
  return {
    mine: network.mine,
    cosigners,
    value,
    funds: (needed = 1) => entries.splice(0, needed),
    close: async () => {
      await Promise.all(cosigners.map(({ engine }) => engine.dispose()))
      await network.close()
    },
  }
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
  { value }: Pick<CosigningHarness, 'value'>,
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
