import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { onTestFinished } from 'vitest';

const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/**
 * A server with TLS on a free port of 127.0.0.1 that ends with the test.
 * @param names of its certificate: host names and IP addresses @param isTrusted whether this process trusts it
 */
export async function startHttpsServer(
  listener: RequestListener,
  { names, isTrusted = true }: { names: x509.JsonGeneralName[]; isTrusted?: boolean },
): Promise<{ port: number; server: Server }> {
  const { key, cert } = await createCertificate(names);
  if (isTrusted) trust(cert);
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, server };
}

function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** Self-signed, in PEM. */
async function createCertificate(names: x509.JsonGeneralName[]): Promise<{ key: string; cert: string }> {
  const keys = (await webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=A test of Patchbay',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: KEYS,
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension(names)],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: x509.PemConverter.encode(exported, 'PRIVATE KEY'), cert: certificate.toString('pem') };
}
