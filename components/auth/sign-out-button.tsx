'use client';
import { Button } from '#components/ui/button.tsx';

export const SignOutButton = ({ signOut }: { signOut: () => Promise<void> }) => (
  <Button onClick={() => void signOut()}>Sign out</Button>
);
