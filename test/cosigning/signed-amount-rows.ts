import { afterEach, describe, expect, it } from 'vitest'
import { createCosigning } from '../../src/cosigning/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { SignedAmountsStore } from '../../src/operations/transactions/sign/signed-amounts.js'
import { light } from '../../src/sdk/light/light.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { FEE, KAS, accountKeys, toPskt, toText } from './cosigners.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')
const ACCOUNT = accountKeys({ threshold: 2, count: 3 })
/** Two texts of one id with other amounts, signed by a device without a node, also after a restart. */
export function describeSignedAmounts(): void {
  const engines: ChainEngine[] = []
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.dispose()))
  })

  /** Signs the texts one after the other, as one process. */
  async function start(signedAmounts?: SignedAmountsStore) {
    const engine = createChainEngine({ network: 'simnet', sdk: light, autoConnect: false, signedAmounts })
    engines.push(engine)
    await engine.wasm.init()
    const { keys, value, privateKeys } = ACCOUNT
    const account = await createCosigning({ engine }).accountOf({ threshold: 2, keys })
    const scriptPublicKey = value.scriptPublicKey({ cosigner: 0, change: false, index: 0 })
    const entry = (index: number, amount: bigint): UtxoEntry =>
      fixtures.utxo({ outpoint: { transactionId: 'ab'.repeat(32), index }, amount, scriptPublicKey })
    return async (amounts: readonly [bigint, bigint], commits: boolean) => {
      const entries = amounts.map((amount, index) => entry(index, amount))
      const text = toText(toPskt(value, { entries, outputs: [{ address: RECIPIENT, amount: 10n * KAS }], commits }))
      const { fromPskb } = createCosigning({ engine }) // parts of an app have each their own
      const proposal = await fromPskb(text, { account, offline: true })
      const signed = await proposal.signAsync({ privateKeys: [privateKeys[0]!] })
      return signed.review
    }
  }

  const [LOW_SECOND, LOW_FIRST] = [
    [10n * KAS, FEE],
    [FEE, 10n * KAS],
  ] as const
  const CONFLICT = { code: 'amount-conflict' }

  /** As a table of a database with the outpoint as its key. */
  function createRecord(): SignedAmountsStore {
    const known = new Map<string, bigint>()
    return {
      record: (entries) => {
        const isOther = entries.some(
          ({ outpoint, amount }) => (known.get(toOutpointKey(outpoint)) ?? amount) !== amount,
        )
        if (isOther) throw Object.assign(new Error('Another amount'), CONFLICT)
        for (const { outpoint, amount } of entries) known.set(toOutpointKey(outpoint), amount)
      },
    }
  }

  describe('one id with two sets of amounts', () => {
    it('is signed once by a process, and by all that share a record', async () => {
      const record = createRecord()
      const first = await start(record)
      expect(await first(LOW_SECOND, false)).toMatchObject({ areAmountsCommitted: false, isAmountMemoryDurable: true })
      await first(LOW_SECOND, false)
      await expect(first(LOW_FIRST, false)).rejects.toMatchObject(CONFLICT)
      const second = await start(record)
      await second(LOW_SECOND, false)
      await expect(second(LOW_FIRST, false)).rejects.toMatchObject(CONFLICT)
    })

    it('is signed once by a process without a record, which says that it forgets', async () => {
      const sign = await start()
      expect(await sign(LOW_SECOND, false)).toMatchObject({ isAmountMemoryDurable: false })
      await expect(sign(LOW_FIRST, false)).rejects.toMatchObject(CONFLICT)
    })

    it('is two ids where the sequences commit to the amounts', async () => {
      const sign = await start()
      const [low, high] = [await sign(LOW_SECOND, true), await sign(LOW_FIRST, true)]
      expect([low, high]).toMatchObject([{ areAmountsCommitted: true }, { areAmountsCommitted: true }])
      expect(low.transactions[0]!.id).not.toBe(high.transactions[0]!.id)
    })
  })
}
