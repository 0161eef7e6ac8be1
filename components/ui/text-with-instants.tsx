import { Instant } from './relative-time.tsx';

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of a run or an error, with its instants in the reader's zone. */
export const TextWithInstants = ({ text }: { text: string }) =>
  text.split(INSTANT).map((part, index) => (index % 2 === 1 ? <Instant key={index} at={part} /> : part));
