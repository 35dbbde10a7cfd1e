//! Beyond the papers: the same mechanisms under every law.
