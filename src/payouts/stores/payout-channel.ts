/** The channel on which changed payouts are announced, without payload. */
export const payoutChannel = (schema: string): string => `${schema}_payout`
