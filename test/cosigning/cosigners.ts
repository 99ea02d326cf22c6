import { createCosigning, type Cosigning, type Proposal } from '../../src/cosigning/index.js'
import { createMemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import type { AccountValue } from '../../src/model/cosigning/account-value.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import { accountKeys, KAS, mnemonicsOf, type AccountShape } from './texts.js'

export { accountKeys, FEE, KAS, payment, rootOf, toPskt, toText, type AccountShape } from './texts.js'

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
