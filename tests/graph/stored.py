"""What a factor holds, as plain lists."""


def stored(factor):
    return (
        factor.kind,
        factor.codes.tolist(),
        factor.data.tolist(),
        factor.shape.tolist(),
    )
