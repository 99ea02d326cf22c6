// The program around the recipe of docs/transactions.md, "Survive a restart": its tables are a file.
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../examples/deposit-watcher/store.js'

const { RECIPE, ADDRESS, PRIVATE_KEY, RECIPIENTS, DATA, HANG } = process.env
const { engine, withdraw, submitOpen, follow, resultOf } = await import(RECIPE)
const store = await openStore(DATA, { cursor: undefined, payments: {}, results: {} })

const inputsOf = (payments) =>
  payments.flatMap(({ inputs }) =>
    inputs.map(({ previousOutpoint: { transactionId, index } }) => transactionId + index),
  )

let applied = () => undefined
const hasCursor = new Promise((resolve) => (applied = resolve))
if (store.get().cursor !== undefined) applied()

const table = {
  async store(id, payments) {
    await store.update((state) => {
      const taken = new Set(Object.values(state.payments).flatMap(inputsOf))
      if (Object.hasOwn(state.payments, id)) throw new Error(`${id} has payments`)
      if (inputsOf(payments).some((input) => taken.has(input))) throw new Error(`An input of ${id} is taken`)
      return { ...state, payments: { ...state.payments, [id]: payments } }
    })
    if (HANG !== 'stored') return
    console.log('Stored')
    await new Promise(() => undefined)
  },
  stored: async (which) => {
    const { payments, results } = store.get()
    const found = Object.keys(payments).filter((id) => which === 'all' || !Object.hasOwn(results, id))
    return found.map((id) => payments[id])
  },
  cursor: async () => store.get().cursor,
  async apply(batch) {
    await store.update(({ payments, results }) => {
      const score = batch.rollback?.blueScore
      const kept = Object.entries(results).filter(([, { blueScore }]) => score === undefined || blueScore <= score)
      const open = Object.keys(payments).filter((id) => !kept.some(([known]) => known === id))
      const found = open.map((id) => [id, resultOf(payments[id], batch)]).filter(([, result]) => result !== undefined)
      return { payments, cursor: batch.cursor, results: Object.fromEntries([...kept, ...found]) }
    })
    applied()
    for (const [id, { type }] of Object.entries(store.get().results)) console.log(`${id}: ${type}`)
  },
}

async function pay(address, id) {
  const output = { address, amount: 100_000_000n }
  const wallet = { address: ADDRESS, privateKeys: [PRIVATE_KEY] }
  while (!Object.hasOwn(store.get().payments, id)) {
    await withdraw(id, [output], wallet, table).catch((error) => console.error(String(error)))
    await pause(20)
  }
}

await engine.wasm.init()
await engine.connection.connect()
follow(ADDRESS, table).catch((error) => {
  console.error(String(error))
  process.exit(1)
})
await hasCursor
await submitOpen(table)
console.log('Started')
for (const [id, address] of Object.entries(JSON.parse(RECIPIENTS))) void pay(address, id)
for (;;) {
  await submitOpen(table)
  await pause(50)
}
