"""Upload a finished model with its card to the hub, private by default, or copy the files to a folder.

    push(Path("runs/x/model"), "me/tuned", private=True, revision="v1")
    push(Path("runs/x/model"), "./dry", ..)      a path: the files are copied there instead of uploaded

The token is that of `hf auth login` or HF_TOKEN.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from deskcheck.errors import UserError


def is_folder(target: str) -> bool:
    """Whether the target is a local folder: a name that begins with ".", "/" or "~"."""
    return target.startswith((".", "/", "~"))


def check_push(target: str) -> None:
    """Raise UserError, before a run of hours, if the hub would refuse the upload."""
    if is_folder(target):
        if Path(target).expanduser().is_file():
            raise UserError(f"--push-to-hub {target} is a file; name a folder, or USER/NAME on the hub")
        return
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalTokenNotFoundError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(target)
        HfApi().whoami()
    except HFValidationError as error:
        raise UserError(f"--push-to-hub {target}: {error}") from None
    except (HfHubHTTPError, LocalTokenNotFoundError, OSError) as error:
        raise UserError(
            f"--push-to-hub {target}: the hub does not know you ({_first_line(error)}); `hf auth login`, or "
            "set HF_TOKEN; or name a folder (./dry) to see the files"
        ) from None


def push(folder: Path, target: str, *, private: bool, revision: str) -> str:
    """Upload or copy all files of the folder and return their new place. UserError if the hub refuses.

    `private`: whether a repository that the upload creates is private. `revision`: branch; "" = main.
    """
    if is_folder(target):
        to = Path(target).expanduser()
        shutil.copytree(folder, to, dirs_exist_ok=True)
        return f"{to} (a folder: nothing was uploaded)"
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    hub = HfApi()
    try:
        hub.create_repo(target, private=private, exist_ok=True)
        if revision:
            hub.create_branch(target, branch=revision, exist_ok=True)
        found = hub.upload_folder(
            repo_id=target, folder_path=folder, revision=revision or None, commit_message="deskcheck train"
        )
    except (HfHubHTTPError, OSError) as error:
        raise UserError(
            f"the model is whole in {folder}, but the hub did not take it: {_first_line(error)}; "
            "the same command with --resume uploads it again"
        ) from None
    return str(getattr(found, "commit_url", target))


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
