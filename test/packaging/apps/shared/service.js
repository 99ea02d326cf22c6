/**
 * The service of all runtimes: waits for the DAA score, pays, and prints what has happened. The library is handed in.
 */
export async function run({ createChainEngine, kaspaToSompi }, [node, key, from, to]) {
  const engine = createChainEngine({ network: 'simnet', url: node })
  const score = await first(engine.virtualDaaScore$, (value) => value > 0n)
  await first(engine.virtualDaaScore$, (value) => value > score)
  await engine.wasm.init()
  const { transactionIds } = await engine.transactions.send({
    entries: await engine.rpc.getUtxosByAddresses([from]),
    outputs: [{ address: to, amount: kaspaToSompi('12.5') }],
    changeAddress: from,
    privateKeys: [key],
  })
  const { status } = await first(
    engine.transactionStatus$(transactionIds.at(-1)),
    ({ status }) => status === 'accepted' || status === 'confirmed',
  )
  await engine.dispose()
  console.log(`live and paid: ${status}`)
}

/** The first value of a stream that matches. */
const first = (source$, matches) =>
  new Promise((resolve, reject) => {
    const subscription = source$.subscribe({
      next(value) {
        if (!matches(value)) return
        resolve(value)
        queueMicrotask(() => subscription.unsubscribe())
      },
      error: reject,
    })
  })
