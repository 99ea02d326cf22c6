import { createCosigning, type Cosigning, type CosigningAccount } from '../../src/cosigning/index.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { accountValueOf, type AccountValue } from '../../src/model/cosigning/account-value.js'
import { light } from '../../src/sdk/light/light.js'
import vectors from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }

export const KAS = 100_000_000n

/** The keys of three cosigners, in the order of their mnemonics, and sorted: A, B and C are cosigners 1, 2 and 0. */
export const [kpubA = '', kpubB = '', kpubC = ''] = vectors.kpubs

/** A network in memory, where accounts of three cosigners are opened. */
export interface CosigningHarness {
  readonly devnode: MemoryDevnode
  readonly engine: ChainEngine
  readonly cosigning: Cosigning
  /** The account as one of the cosigners opens it, from its first addresses on. */
  readonly open: (own: string) => Promise<CosigningAccount>
  readonly close: () => Promise<void>
}

/** The account of the three, without a network. */
export const accountOfThree = (): AccountValue => accountValueOf({ threshold: 2, keys: vectors.kpubs }, 'simnet')

export async function openCosigning(
  utxos: readonly { readonly address: string; readonly amount: bigint }[] = [],
): Promise<CosigningHarness> {
  const devnode = createMemoryDevnode({ blockInterval: 0, utxos: [...utxos] })
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  await engine.connection.connect()
  const cosigning = createCosigning({ engine })
  return {
    devnode,
    engine,
    cosigning,
    open: (own) => cosigning.accountOf({ threshold: 2, keys: vectors.kpubs, own, startIndex: 0 }),
    close: async () => {
      await engine.dispose()
      await devnode.close()
    },
  }
}
