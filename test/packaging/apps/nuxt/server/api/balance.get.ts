/** The balance of `?address=`, from the indexer of the module's options. */
export default defineEventHandler(async (event) => {
  const { network, rest, isValidAddress } = useChainServer(event)
  const address = String(getQuery(event).address)
  if (!isValidAddress(address)) throw createError({ statusCode: 400 })
  const { balanceExact } = await rest.getAddressBalance(address)
  return { network, balance: String(balanceExact) }
})
