import { createCosigning, type Cosigning, type Proposal } from '../../src/cosigning/index.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { accountValueOf, type AccountValue } from '../../src/model/cosigning/account-value.js'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import type { Pskt } from '../../src/model/pskb/records.js'
import { writeBundle } from '../../src/model/pskb/write-bundle.js'
import { createTransaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createPskt } from '../../src/operations/cosigning/new-pskt.js'
import { light } from '../../src/sdk/light/light.js'

export const KAS = 100_000_000n
/** Enough for every payment of the tests. */
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
  readonly devnode: MemoryDevnode
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

interface AccountShape {
  readonly threshold: number
  readonly count: number
  readonly ecdsa?: boolean
}

export async function openCosigners(
  { threshold, count, ecdsa = false }: AccountShape,
  utxos = 40,
): Promise<CosigningHarness> {
  const mnemonics = MNEMONICS.slice(0, count)
  const sdk = await light.loadPort()
  const keys = mnemonics.map((phrase) =>
    sdk.deriveExtendedPublicKey({ phrase, passphrase: '' }, { account: 0, purpose: 45 }, 'ktub'),
  )
  const value = accountValueOf({ threshold, keys, ecdsa }, 'simnet')
  const address = value.addressAt({ cosigner: 0, change: false, index: 0 })
  const devnode = createMemoryDevnode({
    blockInterval: 0,
    utxos: Array.from({ length: utxos }, () => ({ address, amount: 10n * KAS })),
  })
  const cosigners = await Promise.all(
    mnemonics.map(async (mnemonic, at): Promise<Cosigner> => {
      const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
      await engine.connection.connect()
      await engine.wasm.init()
      const cosigning = createCosigning({ engine })
      const account = await cosigning.accountOf({ threshold, keys, own: keys[at], ecdsa })
      const open: Cosigner['open'] = (text, options) => cosigning.fromPskb(text, { account, ...options })
      const secret = { phrase: mnemonic, passphrase: '' }
      const privateKeys = [sdk.derivePrivateKey(secret, { account: 0, cosigner: 0, change: false, index: 0 })]
      return { engine, cosigning, account, mnemonic, privateKeys, open }
    }),
  )
  const all = [...(await cosigners[0]!.engine.rpc.getUtxosByAddresses([address]))]
  return {
    devnode,
    cosigners,
    value,
    funds: (needed = 1) => all.splice(0, needed),
    close: async () => {
      await Promise.all(cosigners.map(({ engine }) => engine.dispose()))
      await devnode.close()
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
