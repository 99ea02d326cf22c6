// The program around the recipe of docs/tokens.md, "History": its tables are a file.
import { createTokens, rollbackRows } from 'vue-chain/contracts'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'
import { parse } from '../../examples/deposit-watcher/json.js'
import { openStore } from '../../examples/deposit-watcher/store.js'

const { RECIPE, ARTIFACT, NODE, GENESIS, ADDRESS, DATA, HANG } = process.env
const { credit } = await import(RECIPE)
const { token20 } = await import(ARTIFACT)
const store = await openStore(DATA, { cursor: undefined, rows: [], transfers: [] })

const keyOf = ({ outpoint: { transactionId, index } }) => `${transactionId}:${index}`
const toMap = (rows) => new Map(rows.map((row) => [keyOf(row), row]))

async function hang(at) {
  if (HANG !== at) return
  console.log(`Hangs where it is ${at}`)
  await new Promise(() => undefined)
}

/** Cursor, rows and transfers in one step, as a transaction of a database. */
async function save(cursor, undoAbove, rows, transfers) {
  if (transfers.length > 0) await hang('received')
  await store.update((state) => {
    const known = toMap(state.rows)
    const kept = undoAbove === null ? known : rollbackRows(known, undoAbove)
    const left = state.transfers.filter(({ cause }) => undoAbove === null || cause.blueScore <= undoAbove)
    return { cursor, rows: [...new Map([...kept, ...toMap(rows)]).values()], transfers: [...left, ...transfers] }
  })
  if (transfers.length > 0) await hang('stored')
  console.log(
    `Transfers ${store
      .get()
      .transfers.map(({ direction, amount }) => direction + amount)
      .join()}.`,
  )
}

const engine = createChainEngine({ network: 'simnet', url: NODE, sdk: light, reconnect: { baseDelay: 50 } })
await engine.connection.connect()
const tokens = createTokens({ engine })
tokens.add({ artifact: token20, genesis: parse(GENESIS) })
console.log('Started')
const { cursor, rows } = store.get()
await credit(tokens, [ADDRESS], { cursor, rows, save })
