/** A line of a CSV file; values are quoted where they have to be. */
export const toCsvLine = (values: readonly string[], delimiter = ','): string =>
  values
    .map((value) => (/[",;\t\r\n]/.test(value) || value === '' ? `"${value.replaceAll('"', '""')}"` : value))
    .join(delimiter);
