/**
 * Quirk: the SDK hashes phrase and passphrase as they come. BIP-39 demands NFKD first: without it the é of one keyboard
 * and the é of another open different wallets, and neither the one that other wallets open.
 */
export const normalised = (text: string): string => text.normalize('NFKD')
