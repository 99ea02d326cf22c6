export interface VocabularyFinding {
  readonly line: number
  readonly word: string
  readonly use: string
  readonly text: string
}
export function vocabularyFindings(path: string, text: string): VocabularyFinding[]
export function checkedFiles(places?: readonly string[]): string[]
