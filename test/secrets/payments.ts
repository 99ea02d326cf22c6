import type { CreateTransactionSettings } from '../../src/operations/transactions/records.js'
import { ADDRESS, KEY, MNEMONIC } from './canary.js'
import type { Session } from './session.js'

const KAS = 100_000_000n

/** Sends payments and provokes failures of sending; records every result and every error. */
export async function sendPayments({ app, devnode, sentId, attempt }: Session): Promise<void> {
  const { transaction, utxo } = app
  const [{ address: to } = never()] = devnode.accounts
  const settings = (overrides: Partial<CreateTransactionSettings> = {}): CreateTransactionSettings => ({
    entries: utxo.matureEntries.value,
    outputs: [{ address: to, amount: KAS }],
    changeAddress: ADDRESS,
    ...overrides,
  })
  const send = (overrides: Partial<CreateTransactionSettings> = {}, privateKeys: unknown[] = [KEY]) =>
    attempt(() => transaction.send({ ...settings(overrides), privateKeys: privateKeys as string[] }))

  const created = await attempt(() => transaction.create(settings()))
  for (const pending of created?.transactions ?? []) {
    await attempt(() => pending.sign([KEY]))
    for (const keys of [[KEY], [MNEMONIC], [`0x${KEY}`], ['11'.repeat(32)], KEY])
      await attempt(() => pending.signAsync(keys as string[]))
    await attempt(() => pending.serialize())
    await attempt(() => transaction.restore(pending.serialize()))
    await attempt(() => pending)
    await attempt(() => pending.submit())
  }
  const inMempool = await send()
  sentId.value = inMempool?.summary.finalTransactionId ?? null
  await send({ replaces: inMempool?.summary.finalTransactionId, entries: utxo.entries.value })
  for (const keys of [[MNEMONIC], [KEY.slice(1)], [`0x${KEY}`], [[KEY]], [KEY, MNEMONIC], ['11'.repeat(32)]])
    await send({}, keys)
  for (const outputs of [[{ address: KEY, amount: KAS }], [{ address: to, amount: BigInt(`0x${KEY}`) }]])
    await send({ outputs })
  await send({ changeAddress: MNEMONIC })
  await send({ replaces: MNEMONIC })
  for (const serialized of [
    KEY,
    MNEMONIC,
    { restore: { version: 1, network: KEY } },
    { id: KEY, restore: { version: 1 } },
  ])
    await attempt(() => transaction.restore(serialized as never))
  for (const signer of [KEY, { sign: () => KEY }, { sign: () => Promise.resolve([KEY]) }])
    await attempt(() => transaction.send({ ...settings(), signer } as never))
  await attempt(() =>
    transaction.send(
      { ...settings(), privateKeys: [KEY] },
      {
        onSigned: async (payments) => {
          await attempt(() => payments)
        },
      },
    ),
  )
  devnode.faults.failCall({ method: 'submitTransaction', message: 'Rejected transaction ab: failed to verify' })
  await send()
  devnode.faults.dropReply({ method: 'submitTransaction' })
  await send()
  await devnode.mine(3)
}

function never(): never {
  throw new Error('A devnode has accounts')
}
