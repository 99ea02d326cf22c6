/** The address in a list of none or one, as wallets answer who is selected. */
export function firstAccount(accounts: unknown): string | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && first !== '' ? first : null
}
