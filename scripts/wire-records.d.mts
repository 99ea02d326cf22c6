/** The text of src/node/messages/wire-records.ts. */
export function describeRecords(): Promise<string>
